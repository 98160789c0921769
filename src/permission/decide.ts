// May this call run? This file loads the reader of shell commands; decideWithoutShell does without it.
import type { Decision } from "../domain/permission.ts";
import { type Acts, type AskedCall, actsOf } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { boundedDisk, TooMuchToRead } from "./disk-budget.ts";
import { judgeAll } from "./judge.ts";
import { shellActs } from "./shell-acts.ts";

export function decide(call: AskedCall, context: PermissionContext): Decision {
  const bounded = { ...context, disk: boundedDisk(context.disk) };
  try {
    const acts = readActs(call, bounded);
    if (isTooMuchToCompare(acts, bounded)) throw new TooMuchToRead();
    return judgeAll(call, acts, bounded);
  } catch (error) {
    if (!(error instanceof TooMuchToRead)) throw error;
    const why = "finding out what it reads takes too long";
    return judgeAll(call, { acts: [{ type: "doubt", why, tool: call.toolName }], commands: [] }, context);
  }
}

/** Characters of rules times words and names of the command. They take about 50 ms. */
const MAX_COMPARED = 2_000_000;

function isTooMuchToCompare({ acts }: Acts, context: PermissionContext): boolean {
  const characters = rulesInForce(context).reduce((sum, { text }) => sum + text.length, 0);
  const words = acts.map((act) => {
    if (act.type === "command") return act.words.length * act.folders.size;
    return act.type === "path" ? act.path.split("/").length : 1;
  });
  return characters * words.reduce((sum, each) => sum + each, 0) > MAX_COMPARED;
}

export function readActs(call: AskedCall, context: PermissionContext): Acts {
  return actsOf(call, context, shellActs);
}
