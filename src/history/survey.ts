// Which steps of preparing a history needs. It is asked before every request, and nearly always the history has only
// grown since. Then it reads only the new messages, because reading ten thousand takes milliseconds.
import { rememberedFold } from "../base/remembered-fold.ts";
import type { Message } from "../domain/message.ts";
import { type ClearableReturns, clearableReturns } from "./clearable-returns.ts";
import { isWorthClearing, USUAL_LIMITS } from "./prune.ts";
import { isSane } from "./sanitize.ts";
import { isSoundSoFar, SOUNDNESS, type Soundness } from "./sound.ts";

interface Survey {
  readonly returns: ClearableReturns;
  readonly soundness: Soundness;
  isSane: boolean;
}

const RETURNS = clearableReturns(USUAL_LIMITS);

const surveyOf = rememberedFold({
  start: (): Survey => ({ returns: RETURNS.start(), soundness: SOUNDNESS.start(), isSane: true }),
  step: (survey, message: Message, at) => {
    RETURNS.step(survey.returns, message, at);
    SOUNDNESS.step(survey.soundness, message, at);
    survey.isSane &&= isSane(message);
    return survey;
  },
});

/** The steps that would change something. One step can make only pruning necessary, and preparing repeats that. */
export interface Needs {
  readonly pruning: boolean;
  readonly cleaning: boolean;
  readonly sanitizing: boolean;
}

export function needsOf(messages: readonly Message[]): Needs {
  const { returns, soundness, isSane } = surveyOf(messages);
  return {
    pruning: isWorthClearing(returns, USUAL_LIMITS),
    cleaning: !isSoundSoFar(soundness),
    sanitizing: !isSane,
  };
}
