// submit: an ordinary tool that returns a string. It doesn't end the request: the model answers after it as usual.
import { z } from "zod";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import description from "./submit.md" with { type: "text" };

export const submit = defineTool({
  name: "submit",
  kind: "read",
  description,
  schema: z.object({ summary: z.string().optional() }),
  demands: () => [],
  label: labelOf("Submit", "summary"),
  names: { hooks: "Submit", editors: "other" },
  async execute({ summary = "" }) {
    const words = summary.trim();
    return words === "" ? "Task submitted." : `Task submitted: ${words}`;
  },
});
