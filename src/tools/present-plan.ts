// present_plan: asks the person; their answer is the return.
import { z } from "zod";
import { textOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import description from "./present-plan.md" with { type: "text" };

export const presentPlan = defineTool({
  name: "present_plan",
  kind: "read",
  description,
  schema: z.object({ plan: z.string().min(1) }),
  asksPerson: true,
  // The person is asked by the tool itself.
  demands: () => [],
  label: ({ plan }) => ({ verb: "Plan", subject: "", whole: textOf(plan) }),
  resultStyle: "markdown",
  names: { hooks: "ExitPlanMode", editors: "think" },
  execute: async ({ plan }, { signal }, ports) => await ports.presentPlan(plan, signal),
});
