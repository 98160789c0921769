// What a person has to know before they take back what git commands did: only files come back.
import type { CallKey } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import { callsOf, type Message } from "../domain/message.ts";
import type { LedgerRestore } from "../session/change-ledger.ts";

const SAYS_GIT = /\bgit\b/;
const GIT_STAYS =
  "Git's own state (commits, branches, the index, the stash) stays as it is; only files change.";

/** null: none of these calls had to do with git. Redo takes back a restore, and so concerns the calls of that one. */
export function gitRemark(
  takesBack: readonly (CallKey | RestoreId)[],
  messages: readonly Message[],
  restores: readonly LedgerRestore[],
): string | null {
  const redone = restores.filter(({ facts }) => takesBack.includes(facts.restoreId));
  const keys = [...takesBack, ...redone.flatMap(({ facts }) => facts.takesBack)];
  const ids = new Set(keys.map((key) => key.slice(key.indexOf("/") + 1)));
  const left = redone.flatMap(({ before }) => before?.list.slice(0, before.length) ?? []);
  const calls = [...messages, ...left.map(({ message }) => message)]
    .flatMap((message) => (message.kind === "response" ? callsOf(message) : []))
    .filter(({ toolCallId }) => ids.has(toolCallId));
  return calls.some(({ args }) => SAYS_GIT.test(JSON.stringify(args))) ? GIT_STAYS : null;
}
