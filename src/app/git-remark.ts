// What a person has to know before they take back what git commands did: only files come back.
import type { CallKey } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import { callsOf, type Message } from "../domain/message.ts";

const SAYS_GIT = /\bgit\b/;
const GIT_STAYS =
  "Git's own state (commits, branches, the index, the stash) stays as it is; only files change.";

/** null: none of these calls had to do with git. */
export function gitRemark(
  takesBack: readonly (CallKey | RestoreId)[],
  messages: readonly Message[],
): string | null {
  const ids = new Set(takesBack.map((key) => key.slice(key.indexOf("/") + 1)));
  const calls = messages
    .flatMap((message) => (message.kind === "response" ? callsOf(message) : []))
    .filter(({ toolCallId }) => ids.has(toolCallId));
  return calls.some(({ args }) => SAYS_GIT.test(JSON.stringify(args))) ? GIT_STAYS : null;
}
