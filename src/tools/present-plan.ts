// present_plan: shows the person a plan and returns their answer.
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
  // The tool itself asks the person.
  demands: () => [],
  label: ({ plan }) => ({ verb: "Plan", subject: "", whole: textOf(plan) }),
  resultStyle: "markdown",
  names: { hooks: "ExitPlanMode", editors: "think" },
  execute: async ({ plan }, { signal }, ports) => await ports.presentPlan(plan, signal),
});
