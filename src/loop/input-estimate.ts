// How many tokens a request will have as the vendor counts them: characters / 4, corrected by what the vendor counted
// last time, because code, other languages and the vendor's own additions make more of them.
import { type Budget, limitsSpending } from "../domain/limits.ts";
import type { ModelRequest } from "../domain/model.ts";
import { estimateTokens, messageCharacters, toolCharacters } from "../domain/tokens.ts";
import type { Usage } from "../domain/usage.ts";

export function inputTokens(request: ModelRequest, { countedPerEstimated }: Budget): number {
  const factor = countedPerEstimated.get(request.system) ?? factorOfHistory(request);
  return Math.ceil(uncorrected(request) * factor);
}

/** Only where a limit needs it: it takes a look at the whole conversation. */
export function noteCounted(request: ModelRequest, { requestTokens }: Usage, budget: Budget): void {
  if (!limitsSpending(budget)) return;
  budget.countedPerEstimated.set(request.system, factorOf(requestTokens, uncorrected(request)));
}

/** After a resume nothing has been counted yet, but the newest response says what its request had. */
function factorOfHistory(request: ModelRequest): number {
  const at = request.messages.findLastIndex(
    (message) => message.kind === "response" && message.usage !== undefined,
  );
  const response = request.messages[at];
  if (response?.kind !== "response" || response.usage === undefined) return 1;
  return factorOf(response.usage.requestTokens, uncorrected(request, at));
}

/** Never below 1, so that a vendor that counts nothing doesn't make everything free. */
function factorOf(counted: number, estimated: number): number {
  return Number.isFinite(counted) ? Math.max(1, counted / Math.max(1, estimated)) : 1;
}

/** end: how many of the messages. */
function uncorrected({ system, tools, messages }: ModelRequest, end = messages.length): number {
  let characters = system.length;
  for (const tool of tools) characters += toolCharacters(tool);
  for (const message of messages.slice(0, end)) characters += messageCharacters(message);
  return estimateTokens(characters);
}
