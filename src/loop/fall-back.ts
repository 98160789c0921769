// If a model can't answer, the next one in the line does, until the chosen one has rested.
import { untilAbort } from "../base/abort.ts";
import { defined } from "../base/defined.ts";
import { ProviderError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import { fitContext } from "./fit-context.ts";
import { isUnavailable, type LineChoice, type UnusableModel } from "./model-line.ts";
import { type Attempts, type FailedCall, type FailedModel, reasonOf } from "./remedy.ts";
import type { RequestContext } from "./request-context.ts";
import { unknownPrice } from "./unknown-price.ts";

/** Comes before every call, so that a long request goes back to the chosen model too. */
export async function* takeModel(context: RequestContext): AsyncGenerator<AgentEvent, void> {
  const { model, unusable } = await choose(context, []);
  yield* tell(unusable);
  if (model !== null) yield* switchTo(model, null, context);
}

/** Says that the model of the last call works again, if that was in doubt. */
export async function* noteAnswer({ line, model }: RequestContext): AsyncGenerator<AgentEvent, void> {
  if (line.wake(model.name)) yield { type: "notice", text: `${model.name} answers again.` };
}

/** A conversation that can't be made to fit one model may fit the next. */
export async function* fitOrFallBack(
  overflowed: boolean,
  attempts: Attempts,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  try {
    yield* fitContext(context, overflowed);
  } catch (error) {
    if (context.signal.aborted || !(yield* fallBack({ ...attempts, error }, context))) throw error;
  }
}

/** What was already shown stays in context.partialText, and the next model goes on from there. */
export async function* fallBack(
  { error, tried, failures }: FailedCall,
  context: RequestContext,
): AsyncGenerator<AgentEvent, boolean> {
  if (!mayFallBack(error, context)) return false;
  const { line, model: failed } = context;
  failures.push({ name: failed.name, error });
  const { model, unusable } = await choose(context, failures);
  yield* tell(unusable);
  if (failures.length === 1 && model === null && unusable.length === 0) return false;
  line.rest(failed.name);
  if (model === null) {
    yield* switchTo(line.chosen, null, context);
    throw allFailed(failures, unusable);
  }
  tried.clear();
  const reason = reasonOf(error);
  yield { type: "notice", text: goesOn(failed.name, reason, model.name) };
  yield* switchTo(model, reason, context);
  yield* fitOrFallBack(false, { tried, failures }, context);
  return true;
}

function choose({ line, signal }: RequestContext, failures: readonly FailedModel[]): Promise<LineChoice> {
  return untilAbort(line.choose(new Set(failures.map(({ name }) => name))), signal);
}

/** Whatever is wrong with a model to fall back on, the next one may do better. */
function mayFallBack(error: unknown, { line, model }: RequestContext): error is ProviderError {
  return isUnavailable(error) || (error instanceof ProviderError && model.name !== line.chosen.name);
}

async function* switchTo(
  model: Model,
  reason: string | null,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  const { name, contextWindow } = model;
  const isOther = name !== context.model.name;
  context.model = model;
  if (!isOther) return;
  context.fruitlessCompactions = 0;
  context.sendsSchema = true;
  const chosen = context.line.chosen.name;
  yield { type: "model-change", model: name, chosen, reason, ...defined({ contextWindow }) };
  const blind = unknownPrice(context);
  if (blind !== null) yield { type: "notice", text: blind };
}

async function* tell(unusable: readonly UnusableModel[]): AsyncGenerator<AgentEvent, void> {
  for (const { name, why } of unusable)
    yield { type: "notice", text: `${name} can't be used to fall back on. ${why}` };
}

function goesOn(failed: ModelName, reason: string, next: ModelName): string {
  return `${failed} can't answer now: ${reason} ${next} answers in its place; ${failed} is tried again in 10 minutes.`;
}

/** The first failure, because that is the model the person chose or last saw, and what became of the others. */
function allFailed([first, ...others]: readonly FailedModel[], unusable: readonly UnusableModel[]): unknown {
  if (first === undefined) return undefined;
  const { code, message, status, retryAfterMs } = first.error;
  const rest = [...others.map(({ name, error }) => ({ name, why: error.message })), ...unusable];
  const tried = rest.map(({ name, why }) => `${name}: ${why}`).join(" ");
  const text = `${first.name}: ${message} No model to fall back on could answer either. ${tried}`;
  return new ProviderError(code, text, defined({ status, retryAfterMs, cause: first.error }));
}
