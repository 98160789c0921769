// A conversation that a vendor or our own gate refuses for its content is sent again in simpler forms, each tried once
// and announced. The form that is taken is remembered; the conversation itself is not changed.
import { defined } from "../base/defined.ts";
import { errorMessage, ProviderError, WireGateError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import { providerOf } from "../domain/ids.ts";
import { callsOf, type Message } from "../domain/message.ts";
import { formsAfterRewrite, type SimplerForm } from "../domain/simpler-form.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { compactionCut } from "../history/compaction.ts";
import { prepareHistory } from "../history/prepare.ts";
import { countLeftOut, inSimplerForm, type LeftOut } from "../history/simplify.ts";
import { spendingEvents } from "./call-meter.ts";
import { type FailedCall, reasonOf } from "./remedy.ts";
import type { RequestContext } from "./request-context.ts";

type Refusal = (ProviderError | WireGateError) & { readonly refused: readonly string[] };

/** In the order in which they are tried. Each leaves out what the one before did, and more; the first, what is named. */
const FORMS: readonly { readonly name: string; readonly leavesOut: readonly string[] }[] = [
  { name: "named", leavesOut: [] },
  { name: "plain", leavesOut: ["image", "thinking"] },
  { name: "text", leavesOut: ["image", "thinking", "tool"] },
];

/** The conversation as the vendor gets it: in the form that is being tried, or in the one that it took earlier. */
export function messagesToSend(context: RequestContext): readonly Message[] {
  const { messages } = context.conversation;
  const form = formOf(context);
  return form === undefined ? messages : inSimplerForm(messages, form);
}

/** Remembers the form in which the vendor has just taken the conversation. */
export function* rememberForm(context: RequestContext): Generator<AgentEvent, void> {
  const { triedForm: form } = context;
  if (form?.provider === providerOf(context.model.name)) yield { type: "simpler-form", form };
}

/** The history was rewritten while a form is being tried. */
export function moveTriedForm(before: readonly Message[], context: RequestContext): void {
  const { triedForm, conversation } = context;
  const tried = triedForm === undefined ? [] : [triedForm];
  [context.triedForm] = formsAfterRewrite(tried, before, conversation.messages);
}

export async function* simplerForm(
  { error, tried }: FailedCall,
  context: RequestContext,
): AsyncGenerator<AgentEvent, boolean> {
  if (error instanceof WireGateError && !tried.has("repair")) {
    tried.add("repair");
    yield* repair(error, context);
    return true;
  }
  if (!isRefusal(error)) return false;
  for (const { name, leavesOut } of FORMS) {
    // If a body is too large without its images as well, room is made instead.
    if (error.code === "context_overflow" && name !== "named") return false;
    if (tried.has(name)) continue;
    tried.add(name);
    const form = nextForm(leavesOut.length === 0 ? named(error, context) : leavesOut, context);
    const more = difference(form, context);
    if (more !== "") {
      context.triedForm = form;
      yield { type: "notice", text: `${reasonOf(error)} Trying again with ${more}.` };
      return true;
    }
  }
  if (tried.has("newest")) return false;
  tried.add("newest");
  return yield* newestTurns(error, context);
}

function isRefusal(error: unknown): error is Refusal {
  return (error instanceof ProviderError || error instanceof WireGateError) && error.refused !== undefined;
}

/** The gate found a mistake of ours: what it said is recorded, and the history is repaired once. */
function* repair({ violations }: WireGateError, context: RequestContext): Generator<AgentEvent, void> {
  const { messages: before } = context.conversation;
  const { messages, repairs } = prepareHistory(before, { newMessage: false });
  const at = messages.length - 1;
  const found = violations.map((why) => ({ kind: "wire-gate", at, kept: "all", why }) as const);
  yield { type: "repair", repairs: [...found, ...repairs], messages };
  moveTriedForm(before, context);
}

function formOf({ triedForm, conversation, model }: RequestContext): SimplerForm | undefined {
  const provider = providerOf(model.name);
  if (triedForm?.provider === provider) return triedForm;
  return conversation.forms.find((form) => form.provider === provider);
}

/** What was left out so far, for all messages of today, and these besides. */
function nextForm(names: readonly string[], context: RequestContext): SimplerForm {
  const present = formOf(context);
  const { leftOut = [], summary } = present ?? {};
  const form = { leftOut: [...new Set([...leftOut, ...names])], count: context.conversation.messages.length };
  const always = present && refusedAgain(present, context);
  return { provider: providerOf(context.model.name), ...form, ...defined({ always, summary }) };
}

/** Thoughts and calls come with every answer, so those that were refused twice would be refused each time. */
function refusedAgain(present: SimplerForm, { conversation }: RequestContext): readonly string[] | undefined {
  const { messages } = conversation;
  const before = countLeftOut(messages, present);
  const now = countLeftOut(messages, { ...present, count: messages.length });
  const again = [
    ...(present.always ?? []),
    ...(now.thoughts > before.thoughts ? ["thinking"] : []),
    ...(now.calls > before.calls ? ["tool"] : []),
  ];
  return again.length === 0 ? undefined : again;
}

/** The calls whose ids the refusal mentions are meant, and not all calls. */
function named(error: Refusal, { conversation }: RequestContext): readonly string[] {
  if (!error.refused.includes("tool")) return error.refused;
  const calls = conversation.messages.flatMap((message) =>
    message.kind === "response" ? callsOf(message) : [],
  );
  const ids = calls.map(({ toolCallId }) => toolCallId).filter((id) => error.message.includes(id));
  return ids.length === 0 ? error.refused : [...error.refused.filter((name) => name !== "tool"), ...ids];
}

/** What the form leaves out beyond the present one, in words; "" if nothing. */
function difference(form: SimplerForm, context: RequestContext): string {
  const { messages } = context.conversation;
  const present = formOf(context);
  const before = present === undefined ? NOTHING : countLeftOut(messages, present);
  const after = countLeftOut(messages, form);
  const images = after.images - before.images;
  const thoughts = after.thoughts - before.thoughts;
  const calls = after.calls - before.calls;
  return [
    ...(images > 0 ? [`${counted(images, "image")} left out`] : []),
    ...(thoughts > 0 ? ["the model's thoughts and signatures left out"] : []),
    ...(calls > 0 ? [`${counted(calls, "tool call")} written as text`] : []),
  ].join(", ");
}

const NOTHING: LeftOut = { images: 0, thoughts: 0, calls: 0 };

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** The last resort: the newest turn alone, behind a summary of the others if one can be made. */
async function* newestTurns(error: Refusal, context: RequestContext): AsyncGenerator<AgentEvent, boolean> {
  const { messages } = context.conversation;
  const from = compactionCut(messages, 0);
  if (from === (formOf(context)?.summary?.from ?? 0)) return false;
  const words = "Trying again with the newest turn and a summary of the others.";
  yield { type: "notice", text: `${reasonOf(error)} ${words}` };
  const text = yield* summaryOf(messages.slice(0, from), context);
  context.triedForm = { ...nextForm([], context), summary: { text, from } };
  return true;
}

async function* summaryOf(
  messages: readonly Message[],
  context: RequestContext,
): AsyncGenerator<AgentEvent, string> {
  const { budget, signal } = context;
  const spent: UsageTotals[] = [];
  try {
    const text = await context.summarise(messages, { budget, signal, spent });
    yield* spendingEvents(spent, true);
    return text;
  } catch (error) {
    yield* spendingEvents(spent, true);
    if (signal.aborted) throw error;
    yield { type: "notice", text: `The summary failed (${errorMessage(error)}): trying without it.` };
    return "The earlier conversation can't be shown.";
  }
}
