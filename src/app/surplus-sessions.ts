// Deletes the sessions that a person's limits leave no place for, while the one that was opened is at work.
import { inTime } from "../base/abort.ts";
import { errorMessage } from "../domain/error.ts";
import type { SessionId } from "../domain/ids.ts";
import { sessionFolder } from "../session/paths.ts";
import { pendingRestores, restoresFolder } from "./pending-restores.ts";
import type { AgentSettings } from "./settings.ts";

/** What it doesn't get done in this time is left to the next start. */
const MOST_MS = 20_000;
/** How long the end of a short run waits for it. */
const MOST_AT_END_MS = 1_000;

/** `own` stays. Returns what ends it. */
export function deleteSurplusSessions(settings: AgentSettings, own: SessionId): () => Promise<void> {
  const { retention = {}, env, log } = settings;
  if (Object.keys(retention).length === 0) return async () => {};
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(MOST_MS)]);
  const work = async () => {
    const { deleteSurplus } = await import("../session/retention.ts");
    const { isOf: isKept } = pendingRestores(restoresFolder(env));
    const deleted = await deleteSurplus(sessionFolder(env), retention, { own, isKept, signal });
    const ids = deleted.map(({ paths, over }) => `${paths.sessionId} (${over})`);
    if (ids.length > 0) log?.("Sessions beyond the limits were deleted.", { sessions: ids });
  };
  // A session that can't be deleted now is tried again at the next start.
  const done = work().catch((error) => log?.("Old sessions were not deleted.", errorMessage(error)));
  return async () => {
    await inTime(done, AbortSignal.timeout(MOST_AT_END_MS));
    ending.abort();
  };
}
