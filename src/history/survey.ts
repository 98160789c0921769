// What there is to prepare. Asked before every request, of a history that has nearly always only grown since the last
// one: then only what is new is looked at, because touching ten thousand messages costs milliseconds.
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

/** Which steps of preparing would change something. None of them gives another a reason that it had not before. */
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
