// May this call run? This file loads the reader of shell commands; decideWithoutShell does without it.
import type { Decision } from "../domain/permission.ts";
import { type Acts, type AskedCall, actsOf } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { boundedDisk, TooMuchToRead } from "./disk-budget.ts";
import { judgeAll } from "./judge.ts";
import { shellActs } from "./shell-acts.ts";

export function decide(call: AskedCall, context: PermissionContext): Decision {
  const bounded = { ...context, disk: boundedDisk(context.disk) };
  try {
    return judgeAll(call, readActs(call, bounded), bounded);
  } catch (error) {
    if (!(error instanceof TooMuchToRead)) throw error;
    const why = "finding out what it reads takes too long";
    return judgeAll(call, { acts: [{ type: "doubt", why, tool: call.toolName }], commands: [] }, context);
  }
}

export function readActs(call: AskedCall, context: PermissionContext): Acts {
  return actsOf(call, context, shellActs);
}
