// The permit the loop asks: decides, and where a person has to, asks them, one question at a time. What is allowed
// travels with the call as a grant, so that nobody has to decide again.

import type { JsonObject } from "../base/json.ts";
import type { Demand, Grant } from "../domain/grant.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type {
  Decision,
  PermissionAnswer,
  PermissionQuestion,
  Permit,
  PersonAnswer,
} from "../domain/permission.ts";
import { type CallPreview, describeCall, type Tool } from "../domain/tool.ts";
import { type AskedCall, runsShell } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { decideWithoutShell } from "./decide-without-shell.ts";
import { grantFor } from "./grant.ts";

export interface PermitPorts {
  /** Asked for anew each time: the working directory moves, rules are added, the mode changes. */
  readonly context: (call: AskedCall) => Promise<PermissionContext>;
  /** null: nobody is there. */
  readonly ask: ((question: PermissionQuestion, signal: AbortSignal) => Promise<PersonAnswer>) | null;
  /** The person said "always": from now on these rules count. */
  readonly remember: (rules: readonly string[]) => void;
}

interface Decided {
  readonly call: AskedCall;
  readonly decision: Decision;
  readonly context: PermissionContext;
}

export function createPermit({ context, ask, remember }: PermitPorts): Permit {
  let lastQuestion: Promise<unknown> = Promise.resolve();

  /** As things stand now: demands and context are both taken anew. */
  const decideNow = async ({ toolName, args }: ToolCallPart, tool: Tool): Promise<Decided> => {
    const call = { toolName, demands: tool.demands?.(args) };
    const now = await context(call);
    // The reader of shell commands is loaded with the first one: it is most of what permission takes to load.
    const decide = runsShell(call) ? (await import("./decide.ts")).decide : decideWithoutShell;
    return { call, decision: decide(call, now), context: now };
  };

  const question = async (part: ToolCallPart, tool: Tool, signal: AbortSignal): Promise<PermissionAnswer> => {
    if (ask === null || signal.aborted) return { type: "stop" };
    // The answer to an earlier question may have settled this one.
    const shown = await decideNow(part, tool);
    if (shown.decision.decision !== "ask") return answerOf(shown);
    const grant = grantOf(shown);
    const preview = await previewOf(tool, part.args, signal);
    // What is told of a file that may not be read unasked has to wait for the yes.
    if (preview?.type === "failure" && mayTell(shown.call.demands, grant))
      return { type: "pointless", reason: preview.reason };
    const { proposeRules } = await import("./propose-rule.ts");
    const proposal = proposeRules(shown.call, shown.context);
    const said = await ask(
      { ...questionOf(part, tool, preview), decision: shown.decision, proposal },
      signal,
    );
    if (said.type === "changed") return said;
    if (said.type === "always") remember(proposal);
    if (said.type !== "once" && said.type !== "always") return personsNo(said);
    // Rules and mode may have changed while the question stood there; where it leads may not.
    const later = await decideNow(part, tool);
    if (later.decision.decision === "deny") return answerOf(later);
    const sandboxed = later.decision.decision === "allow" && later.decision.sandboxed === true;
    return { type: "allow", grant: { ...grant, sandboxed } };
  };

  return async (part, tool, signal) => {
    const first = await decideNow(part, tool);
    if (first.decision.decision !== "ask") return answerOf(first);
    if (ask === null) return unasked(first.decision);
    const answer = lastQuestion.then(() => question(part, tool, signal));
    // A question that failed must not keep the next one from being asked.
    lastQuestion = answer.catch(() => undefined);
    return answer;
  };
}

function grantOf({ call, decision, context }: Decided): Grant {
  return grantFor(call.demands, decision.decision === "allow" && decision.sandboxed === true, context);
}

function answerOf(decided: Decided): PermissionAnswer {
  const { decision, reason } = decided.decision;
  if (decision === "allow") return { type: "allow", grant: grantOf(decided) };
  return {
    type: "deny",
    reason: `Not permitted. ${reason} Do it another way, or tell the person what is needed.`,
  };
}

function unasked({ reason }: Decision): PermissionAnswer {
  return {
    type: "deny",
    reason: `Not permitted. ${reason} It needs a person's yes and nobody can be asked here. Do it another way, or say what is needed.`,
    unasked: true,
  };
}

function personsNo(answer: Extract<PersonAnswer, { type: "deny" | "stop" }>): PermissionAnswer {
  if (answer.type === "stop") return { type: "stop" };
  const words = answer.words?.trim() ?? "";
  const reason =
    words === ""
      ? "The person said no. Don't try the same again; ask them what they want instead."
      : `The person said no: ${answer.words}`;
  return { type: "deny", reason, by: "person" };
}

function questionOf({ toolName, args }: ToolCallPart, tool: Tool, preview: CallPreview | null) {
  const { label } = describeCall(tool, { toolName, args });
  return { toolName, args, title: tool.question ?? "May this run?", label, preview };
}

/** One that fails to be made is only missing: the question stays the same. */
async function previewOf(tool: Tool, args: JsonObject, signal: AbortSignal): Promise<CallPreview | null> {
  try {
    return (await tool.preview?.(args, signal)) ?? null;
  } catch {
    return null;
  }
}

function mayTell(demands: readonly Demand[] | undefined, { mayRead }: Grant): boolean {
  return demands?.every((demand) => demand.type === "path" && mayRead(demand.path)) ?? false;
}
