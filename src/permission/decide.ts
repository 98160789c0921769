// May this call run?
import type { JsonObject } from "../base/json.ts";
import type { Decision } from "../domain/permission.ts";
import type { PermissionContext } from "./context.ts";
import { type Demands, toolDemands } from "./demand.ts";
import { judgeAll } from "./judge.ts";
import { shellDemands } from "./shell-demand.ts";

export interface AskedCall {
  readonly toolName: string;
  readonly args: JsonObject;
}

export function decide(call: AskedCall, context: PermissionContext): Decision {
  return judgeAll(demandsOf(call, context), context);
}

export function demandsOf({ toolName, args }: AskedCall, context: PermissionContext): Demands {
  return toolName === "bash" ? shellDemands(args, context) : toolDemands(toolName, args, context);
}
