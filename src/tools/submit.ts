// submit: an ordinary tool that returns a string. It ends nothing: the model always gets to answer after a tool.
import type { Tool } from "../domain/tool.ts";
import { defineTool, type Zod } from "./define-tool.ts";
import description from "./submit.md" with { type: "text" };

export const makeSchema = (z: Zod) => z.object({ summary: z.string().optional() });

export function createSubmit(): Tool {
  return defineTool({
    name: "submit",
    kind: "read",
    description,
    makeSchema,
    async execute({ summary = "" }) {
      const words = summary.trim();
      return words === "" ? "Task submitted." : `Task submitted: ${words}`;
    },
  });
}
