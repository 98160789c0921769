// May this call run? With the reader of shell commands; what needs none of it asks decideWithoutShell.
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
