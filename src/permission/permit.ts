// The permit the loop asks: decides, and where a person has to, asks them, one question at a time.
import {
  type Decision,
  type PermissionAnswer,
  type PermissionQuestion,
  type Permit,
  type PersonAnswer,
  REFUSED_BY_PERSON,
  REFUSED_BY_RULE,
} from "../domain/permission.ts";
import type { PermissionContext } from "./context.ts";
import type { AskedCall } from "./decide.ts";
import { toolDemands } from "./demand.ts";
import { judgeAll } from "./judge.ts";

export interface PermitPorts {
  /** Asked for anew each time: the working directory moves, and rules are added. */
  readonly context: (toolName: string) => PermissionContext;
  /** null: nobody is there. */
  readonly ask: ((question: PermissionQuestion, signal: AbortSignal) => Promise<PersonAnswer>) | null;
  /** The person said "always": from now on these rules count. */
  readonly remember: (rules: readonly string[]) => void;
}

export function createPermit({ context, ask, remember }: PermitPorts): Permit {
  let lastQuestion: Promise<unknown> = Promise.resolve();

  return async (call, _tool, signal) => {
    const first = await decision(call, context);
    if (first.decision !== "ask") return answerOf(first);
    if (ask === null) return unasked(first);
    const answer = lastQuestion.then(async (): Promise<PermissionAnswer> => {
      if (signal.aborted) return { type: "stop" };
      // The answer to an earlier question may have settled this one.
      const again = await decision(call, context);
      if (again.decision !== "ask") return answerOf(again);
      const { toolName, args } = call;
      const { proposeRules } = await import("./propose-rule.ts");
      const proposal = proposeRules(call, context(toolName));
      const said = await ask({ toolName, args, decision: again, proposal }, signal);
      if (said.type === "always") remember(proposal);
      return personsAnswer(said);
    });
    // A question that failed must not keep the next one from being asked.
    lastQuestion = answer.catch(() => undefined);
    return answer;
  };
}

/** The reader of shell commands is loaded with the first one: it is most of what permission takes to load. */
async function decision(call: AskedCall, context: PermitPorts["context"]): Promise<Decision> {
  if (call.toolName !== "bash") return decideWithoutShell(call, context(call.toolName));
  const { decide } = await import("./decide.ts");
  return decide(call, context(call.toolName));
}

/** For every tool but bash. */
export function decideWithoutShell({ toolName, args }: AskedCall, context: PermissionContext): Decision {
  return judgeAll(toolDemands(toolName, args, context), context);
}

function answerOf({ decision, reason }: Decision): PermissionAnswer {
  if (decision === "allow") return { type: "allow" };
  return {
    type: "deny",
    reason: `${REFUSED_BY_RULE} ${reason} Do it another way, or tell the person what is needed.`,
  };
}

function unasked({ reason }: Decision): PermissionAnswer {
  return {
    type: "deny",
    reason: `${REFUSED_BY_RULE} ${reason} It needs a person's yes and nobody can be asked here. Do it another way, or say what is needed.`,
    unasked: true,
  };
}

function personsAnswer(answer: PersonAnswer): PermissionAnswer {
  switch (answer.type) {
    case "once":
    case "always":
      return { type: "allow" };
    case "stop":
      return { type: "stop" };
    case "deny":
      return {
        type: "deny",
        reason:
          answer.words === undefined || answer.words.trim() === ""
            ? `${REFUSED_BY_PERSON}. Don't try the same again; ask them what they want instead.`
            : `${REFUSED_BY_PERSON}: ${answer.words}`,
      };
  }
}
