// The line above the editor while a request runs: what is going on, for how long, and how to stop it.

import { formatCount, formatElapsed } from "../../base/numbers.ts";
import { estimateTokens } from "../../domain/tokens.ts";
import type { RunningRequest } from "../state/running-request.ts";
import { type Canvas, keyHint } from "./look.ts";
import { fit } from "./text.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
export const FRAME_MS = 120;
/** The time of an activity is shown only once it is long. */
const LONG_MS = 3_000;

export function activityView(request: RunningRequest, { theme, width, now, keys }: Canvas): string[] {
  const spinner = theme.accent(FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? "");
  const { text, since } = present(request, now);
  // An activity that began with the request has lasted as long, so the time is shown once.
  const isToldAlready = since !== undefined && since - request.startedAt < LONG_MS;
  const elapsed = isToldAlready ? "" : formatElapsed(now - request.startedAt);
  const facts = [elapsed, tokens(request), request.canStop ? keyHint(keys.stop, "stops") : ""];
  const rest = facts.filter((fact) => fact !== "").map((fact) => theme.faint(fact));
  return [fit(`${spinner} ${[theme.accent(text), ...rest].join(theme.faint(" · "))}`, width)];
}

/** since: when the time in the text began, if it has one. */
function present(request: RunningRequest, now: number): { readonly text: string; readonly since?: number } {
  const { retry, waiting, activity, activitySince, stopping } = request;
  if (stopping) return { text: "Stopping" };
  if (retry !== null && retry.until > now) {
    const { attempt, mostAttempts, reason } = retry;
    const left = Math.ceil((retry.until - now) / 1_000);
    if (mostAttempts === undefined) return { text: `Attempt ${attempt + 1} in ${left}s: ${reason}` };
    return { text: `Going on in ${left}s (attempt ${attempt} of ${mostAttempts}): ${reason}` };
  }
  if (waiting !== null) {
    const { awaited, since, deadlineMs } = waiting;
    const times = `${formatElapsed(now - since)} of at most ${formatElapsed(deadlineMs)}`;
    return { text: `Waiting for ${awaited}, ${times}`, since };
  }
  const lasted = now - activitySince;
  if (lasted < LONG_MS) return { text: activity };
  return { text: `${activity} for ${formatElapsed(lasted)}`, since: activitySince };
}

function tokens({ usage, characters }: RunningRequest): string {
  const count = usage.completionTokens + estimateTokens(characters);
  return count === 0 ? "" : `↓ ${formatCount(count)} tokens`;
}
