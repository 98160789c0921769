// The line above the editor while a request runs: what is going on, for how long, and how to stop it.
import { estimateTokens } from "../../domain/tokens.ts";
import type { RunningRequest } from "../state/running-request.ts";
import type { Canvas } from "./canvas.ts";
import { formatCount, formatElapsed } from "./numbers.ts";
import { fit } from "./text.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
export const FRAME_MS = 120;

export function activityView(request: RunningRequest, { theme, width, now }: Canvas): string[] {
  const spinner = theme.accent(FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? "");
  const facts = [formatElapsed(now - request.startedAt), tokens(request), "Esc stops"];
  const rest = theme.faint(facts.filter((fact) => fact !== "").join(" · "));
  return [fit(`${spinner} ${theme.accent(what(request, now))} ${theme.faint("·")} ${rest}`, width)];
}

function what(request: RunningRequest, now: number): string {
  const { retry, waiting, activity, activitySince, stopping } = request;
  if (stopping) return "Stopping";
  if (retry !== null && retry.until > now) {
    const left = Math.ceil((retry.until - now) / 1_000);
    return `Attempt ${retry.attempt + 1} in ${left}s: ${retry.reason}`;
  }
  if (waiting !== null) {
    const most = formatElapsed(waiting.deadlineMs);
    return `Waiting for ${waiting.awaited}, ${formatElapsed(now - waiting.since)} of at most ${most}`;
  }
  const since = now - activitySince;
  return since < 3_000 ? activity : `${activity} for ${formatElapsed(since)}`;
}

function tokens({ completionTokens, characters }: RunningRequest): string {
  const count = completionTokens + estimateTokens(characters);
  return count === 0 ? "" : `↓ ${formatCount(count)} tokens`;
}
