// The permit that the loop asks. It decides, and asks the person where it can't, one question at a time; in the mode auto
// a model may answer some of the questions. What is allowed travels with the call as a grant, so it is decided only once.
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import { realPath } from "../base/real-path.ts";
import type { Grant } from "../domain/grant.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type {
  AskedCommand,
  Decision,
  Offer,
  PermissionAnswer,
  PermissionQuestion,
  Permit,
  PersonAnswer,
  TellReview,
} from "../domain/permission.ts";
import { type CallPreview, describeCall, labelLine, type Tool } from "../domain/tool.ts";
import { type AskedCall, runsShell } from "./act.ts";
import type { PermissionContext, UndoCoverage } from "./context.ts";
import { decideCovered } from "./decide-covered.ts";
import { decideWithoutShell } from "./judge.ts";
import { judgePath } from "./judge-path.ts";
import { type Decided, mayBeReviewed, type RefusedCall, type Reviewer, reviewedCall } from "./review.ts";

interface PermitPorts {
  /** Called for every decision, because the working directory, the rules and the mode change. */
  readonly context: (call: AskedCall) => Promise<PermissionContext>;
  /** null if nobody is there. */
  readonly ask: ((question: PermissionQuestion, signal: AbortSignal) => Promise<PersonAnswer>) | null;
  /** Called when the person takes an offer: its rules apply from now on. */
  readonly remember: (offer: Offer) => void;
  /** Answers questions in the mode auto. */
  readonly review?: Reviewer;
  /** What undo would bring back now; null if nothing. Absent where nothing is ever undone. */
  readonly coverage?: () => Promise<UndoCoverage | null>;
}

/** A reviewer is told of the last few. */
const MOST_REFUSALS = 10;

export function createPermit({ context, ask, remember, review, coverage }: PermitPorts): Permit {
  const questions = createQueue();
  const reviews = createQueue();
  const refusals: RefusedCall[] = [];

  /** Takes the demands and the context as they are now. */
  const decideNow = async ({ toolName, args }: ToolCallPart, tool: Tool): Promise<Decided> => {
    const call = { toolName, demands: tool.demands?.(args) };
    const now = await context(call);
    if (!runsShell(call)) return { call, decision: decideWithoutShell(call, now), context: now };
    // The first shell command loads their reader, which is most of the code of permission.
    const { decide } = await import("./decide.ts");
    if (coverage === undefined) return { call, decision: decide(call, now), context: now };
    return { call, ...(await decideCovered(call, now, decide, coverage)) };
  };

  const question = async (part: ToolCallPart, tool: Tool, signal: AbortSignal): Promise<PermissionAnswer> => {
    if (ask === null || signal.aborted) return { type: "stop" };
    // The answer to an earlier question may have settled this one.
    const shown = await decideNow(part, tool);
    if (shown.decision.decision !== "ask") return answerOf(shown);
    const grant = grantOf(shown);
    const { toolName, args } = part;
    const preview = await previewOf(tool, args, signal);
    const pointless = pointlessCall(preview, shown, grant);
    if (pointless !== null) return pointless;
    const { offersFor } = await import("./propose-rule.ts");
    const offers = offersFor(shown.call, shown.context);
    const title = tool.question ?? "May this run?";
    const { label } = describeCall(tool, { toolName, args });
    const { decision } = shown;
    const command = commandOf(shown, grant);
    const asked = { toolName, args, title, label, preview, decision, offers, ...defined({ command }) };
    const said = await ask({ ...asked, followsMode: true }, signal);
    // The same arguments: the mode has changed.
    if (said.type === "changed") return said.args === args ? question(part, tool, signal) : said;
    const taken = said.type === "offer" ? offers[said.offer] : undefined;
    if (taken !== undefined) remember(taken);
    if (said.type === "deny") refusals.push({ call: labelLine(label), words: said.words ?? "" });
    if (said.type !== "once" && said.type !== "offer") return personsNo(said);
    // The rules and the mode may have changed since the question was shown. What runs stays what was shown.
    const later = await decideNow(part, tool);
    return later.decision.decision === "deny" ? answerOf(later) : { type: "allow", grant };
  };

  /** Null: the person has to be asked. */
  const reviewed = async (
    reviewer: Reviewer,
    part: ToolCallPart,
    tool: Tool,
    signal: AbortSignal,
    tell: TellReview,
  ): Promise<PermissionAnswer | null> => {
    if (signal.aborted) return null;
    const shown = await decideNow(part, tool);
    if (!mayBeReviewed(shown)) return null;
    const grant = grantOf(shown);
    const preview = await previewOf(tool, part.args, signal);
    const pointless = pointlessCall(preview, shown, grant);
    if (pointless !== null) return pointless;
    const { verb, subject } = describeCall(tool, part).label;
    const label = `${verb} ${subject}`.trim();
    const told = {
      label,
      command: commandOf(shown, grant),
      preview,
      refusals: refusals.slice(-MOST_REFUSALS),
    };
    if ((await reviewer(reviewedCall(part, shown, told), signal, tell)) !== "allow") return null;
    // As after a person's yes, but what has become another question since is not answered by this one.
    const later = await decideNow(part, tool);
    if (later.decision.decision === "deny") return answerOf(later);
    return mayBeReviewed(later) ? { type: "allow", grant } : null;
  };

  return async (part, tool, signal, tell = () => {}) => {
    const first = await decideNow(part, tool);
    if (first.decision.decision !== "ask") return answerOf(first);
    if (review !== undefined && mayBeReviewed(first)) {
      const answer = await reviews(() => reviewed(review, part, tool, signal, tell));
      if (answer !== null) return answer;
    }
    if (ask === null) return unasked(first.decision);
    return questions(() => question(part, tool, signal));
  };
}

/** One at a time. One that fails doesn't block the next. */
function createQueue(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const value = last.then(work);
    last = value.catch(() => undefined);
    return value;
  };
}

/** Without demands, nothing but the call itself was judged. */
function grantOf({ call: { demands }, decision, context }: Decided): Grant {
  const mayRead = (path: string) =>
    judgePath({ type: "path", access: "read", tool: null, path, extent: "file" }, context).verdict ===
    "allow";
  const sandboxed = decision.sandboxed === true;
  if (demands === undefined) return { sandboxed, mayRead };
  const real = (path: string) => realPath(path, context.disk) ?? path;
  const shell = demands.find((demand) => demand.type === "shell");
  const { environment } = context;
  const rebuilt = decision.rebuilt === undefined ? undefined : { script: decision.rebuilt, environment };
  const paths = demands.filter((demand) => demand.type === "path");
  return {
    sandboxed,
    ...defined({ folder: shell && real(shell.folder), rebuilt }),
    realPaths: new Map(paths.map(({ path }) => [path, real(path)])),
    hosts: demands.filter((demand) => demand.type === "fetch").map(({ host }) => host),
    mayRead,
  };
}

/** What the person is shown of a shell command. */
function commandOf({ call: { demands } }: Decided, grant: Grant): AskedCommand | undefined {
  const shell = demands?.find((demand) => demand.type === "shell");
  if (shell === undefined) return undefined;
  const { sandboxed, folder = shell.folder } = grant;
  return { script: shell.command, env: shell.env, folder, sandboxed };
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

/** If making the preview fails, the question is asked without one. */
async function previewOf(tool: Tool, args: JsonObject, signal: AbortSignal): Promise<CallPreview | null> {
  try {
    return (await tool.preview?.(args, signal)) ?? null;
  } catch {
    return null;
  }
}

/** A failure may tell something about a file that must not be read without a yes: then it is asked about all the same. */
function pointlessCall(
  preview: CallPreview | null,
  { call: { demands } }: Decided,
  { mayRead }: Grant,
): PermissionAnswer | null {
  if (preview?.type !== "failure") return null;
  const mayTell = demands?.every((demand) => demand.type === "path" && mayRead(demand.path)) ?? false;
  return mayTell ? { type: "pointless", reason: preview.reason } : null;
}
