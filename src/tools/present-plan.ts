// present_plan: asks the person; their answer is the return.
import type { Tool } from "../domain/tool.ts";
import { defineTool, type Zod } from "./define-tool.ts";
import type { ToolPorts } from "./ports.ts";
import description from "./present-plan.md" with { type: "text" };

export const makeSchema = (z: Zod) => z.object({ plan: z.string().min(1) });

export function createPresentPlan(ports: Pick<ToolPorts, "presentPlan">): Tool {
  return defineTool({
    name: "present_plan",
    kind: "read",
    description,
    makeSchema,
    asksPerson: true,
    execute: async ({ plan }, { signal }) => await ports.presentPlan(plan, signal),
  });
}
