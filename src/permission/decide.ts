// May this call run? This file loads the reader of shell commands; decideWithoutShell does without it.
import type { Decision } from "../domain/permission.ts";
import { type Acts, type AskedCall, actsOf } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { judgeAll } from "./judge.ts";
import { shellActs } from "./shell-acts.ts";

export function decide(call: AskedCall, context: PermissionContext): Decision {
  return judgeAll(call, readActs(call, context), context);
}

export function readActs(call: AskedCall, context: PermissionContext): Acts {
  return actsOf(call, context, shellActs);
}
