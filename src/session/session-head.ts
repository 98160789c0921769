// What the beginning of a session's file says about it, without reading the rest. Good enough for a list; nothing is
// verified.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { isJsonObject, parseJson } from "../base/json.ts";
import { titleOf } from "./title.ts";

export interface SessionHead {
  readonly title: string;
  readonly createdAt: string;
  readonly workingDirectory: string;
  readonly model: string;
}

const HEAD_BYTES = 4_096;
/** Shared, because a list reads thousands of heads, one after the other. */
const buffer = Buffer.allocUnsafe(HEAD_BYTES);

/** Synchronous: a list of thousands through the thread pool takes ten times as long. */
export function readSessionHead(path: string): string {
  // Without waiting, in case that somebody put a pipe there.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** For our snapshots and for the old program's, which have no title. */
export function snapshotHead(head: string): SessionHead {
  const field = (name: string) => textAfter(head, new RegExp(`"${name}"\\s*:\\s*${TEXT}`));
  return {
    title: titleOf(field("title") || textAfter(head, FIRST_PROMPT)),
    createdAt: field("created_at"),
    workingDirectory: field("working_directory"),
    model: field("current_model"),
  };
}

/** The title is written right before the first prompt, so it is near the beginning. */
export function journalHead(head: string): SessionHead {
  const found = { title: "", createdAt: "", workingDirectory: "", model: "" };
  for (const line of head.split("\n")) {
    const parsed = parseJson(line);
    if (!parsed.ok || !isJsonObject(parsed.value)) break;
    const { kind, text, created, directory, model } = parsed.value;
    if (kind === "header") Object.assign(found, { createdAt: created, workingDirectory: directory, model });
    if (kind === "title") return { ...found, title: titleOf(String(text)) };
  }
  return found;
}

const TEXT = '("(?:[^"\\\\]|\\\\.)*")';
const FIRST_PROMPT = new RegExp(`"content"\\s*:\\s*${TEXT}[^{}]*"part_kind"\\s*:\\s*"user-prompt"`);

function textAfter(head: string, pattern: RegExp): string {
  const parsed = parseJson(pattern.exec(head)?.[1] ?? '""');
  return parsed.ok ? String(parsed.value) : "";
}
