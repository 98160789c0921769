// May this call run? This file loads the reader of shell commands; decideWithoutShell does without it.
import type { Decision } from "../domain/permission.ts";
import { type Acts, type AskedCall, actsOf } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { boundedDisk, createEffort, TooMuchToRead } from "./disk-budget.ts";
import { judgeAll } from "./judge.ts";
import { judgeAct } from "./judge-act.ts";
import { shellActs } from "./shell-acts.ts";

export function decide(call: AskedCall, context: PermissionContext): Decision {
  const bounded = { ...context, disk: boundedDisk(context.disk), spend: createEffort() };
  try {
    return judgeAll(call, readActs(call, bounded), bounded, judgeAct);
  } catch (error) {
    if (!(error instanceof TooMuchToRead)) throw error;
    return undecided(call, context);
  }
}

function undecided(call: AskedCall, context: PermissionContext): Decision {
  const why = "finding out what it reads takes too long";
  const decision = judgeAll(
    call,
    { acts: [{ type: "doubt", why, tool: call.toolName }], commands: [] },
    context,
    judgeAct,
  );
  const strict = rulesInForce(context).find(({ verdict }) => verdict !== "allow");
  if (decision.decision !== "allow" || strict === undefined) return decision;
  // Neither a mode nor another rule can allow what a rule may forbid.
  const reason = `Finding out whether the rule ${strict.text} (${strict.source}) forbids it takes too long.`;
  return { ...decision, decision: "ask", reason, sandboxed: context.sandbox };
}

export function readActs(call: AskedCall, context: PermissionContext): Acts {
  return actsOf(call, context, shellActs);
}
