// May this call run, which starts no shell? Apart, because the reader of shell commands is most of what permission takes
// to load.
import type { Decision } from "../domain/permission.ts";
import { type AskedCall, actsOf } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { judgeAll } from "./judge.ts";

export function decideWithoutShell(call: AskedCall, context: PermissionContext): Decision {
  const acts = actsOf(call, context, () => {
    throw new Error("A shell command was to be decided on without its reader.");
  });
  return judgeAll(call, acts, context);
}
