// Finds sessions by words that were said in them. Files that can't contain the words are not even parsed.
import { contentText } from "../domain/content.ts";
import type { Message } from "../domain/message.ts";
import { nodeDisk, unlessDiskFails } from "./disk.ts";
import { NewerSessionError } from "./newer-session.ts";
import { readSession } from "./open.ts";
import type { SessionPaths } from "./paths.ts";
import { type ListOptions, listSessions, type SessionSummary } from "./store.ts";

interface SearchHit {
  readonly session: SessionSummary;
  /** The words with a little of the text around them, on one line. */
  readonly excerpt: string;
}

const AROUND = 60;

/** Newest session first, one hit each; ignores case. */
export async function* searchSessions(
  folder: string,
  words: string,
  options: ListOptions = {},
): AsyncGenerator<SearchHit> {
  const { limit = Number.POSITIVE_INFINITY, ...scope } = options;
  const wanted = words.toLowerCase();
  let hits = 0;
  for (const session of await listSessions(folder, scope)) {
    if (hits >= limit) return;
    if (!(await mayHold(session.paths, wanted))) continue;
    const excerpt = findIn([session.title, ...(await readTexts(session.paths))], wanted);
    if (excerpt === undefined) continue;
    hits++;
    yield { session, excerpt };
  }
}

async function readTexts(paths: SessionPaths): Promise<string[]> {
  try {
    return (await readSession(paths))?.state.conversation.messages.flatMap(textsOf) ?? [];
  } catch (error) {
    // Opening it says why it can't be read; the others can still be searched.
    if (error instanceof NewerSessionError) return [];
    throw error;
  }
}

/** Looks for the words as JSON writes them; the old program escaped everything beyond ASCII as \\uXXXX. */
async function mayHold(paths: SessionPaths, words: string): Promise<boolean> {
  const written = JSON.stringify(words).slice(1, -1);
  const escaped = written.replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  for (const path of [paths.journal, paths.snapshot]) {
    const text = (await unlessDiskFails(nodeDisk.read(path)))?.toString("utf8").toLowerCase() ?? "";
    if (text.includes(written) || text.includes(escaped)) return true;
  }
  return false;
}

function textsOf({ parts }: Message): string[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case "user-prompt":
      case "tool-return":
        return [contentText(part.content)];
      case "text":
      case "thinking":
        return [part.content];
      case "tool-call":
        return [JSON.stringify(part.args)];
      default:
        return [];
    }
  });
}

function findIn(texts: readonly string[], wanted: string): string | undefined {
  for (const text of texts) {
    const at = text.toLowerCase().indexOf(wanted);
    if (at === -1) continue;
    const from = Math.max(0, at - AROUND);
    const to = Math.min(text.length, at + wanted.length + AROUND);
    const excerpt = text.slice(from, to).replaceAll(/\s+/g, " ").trim();
    return `${from > 0 ? "…" : ""}${excerpt}${to < text.length ? "…" : ""}`;
  }
  return undefined;
}
