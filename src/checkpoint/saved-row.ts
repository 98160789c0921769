// A row of the index as a line of text. A line with nothing but a path says that nothing is there any more.
import type { JsonValue } from "../base/json.ts";
import type { ContentId } from "../domain/file-change.ts";
import type { FileKind } from "./file-look.ts";
import type { SavedRow } from "./tree-index.ts";

export function encodeRow(row: SavedRow | string): string {
  if (typeof row === "string") return `${JSON.stringify([row])}\n`;
  const { path, look, content, target, isFresh } = row;
  const { kind, size, modifiedMs, changedMs, inode, mode } = look;
  const fields = [path, kind, size, modifiedMs, changedMs, inode, mode, content, target, isFresh];
  return `${JSON.stringify(fields)}\n`;
}

/** null if it can't be read. */
export function decodeRow(line: string): SavedRow | string | null {
  const fields = parsed(line);
  if (!Array.isArray(fields)) return null;
  const [path, kind, size, modifiedMs, changedMs, inode, mode, content, target, isFresh] = fields;
  if (typeof path !== "string") return null;
  if (fields.length === 1) return path;
  if (!isKind(kind) || !isNumber(size) || !isNumber(modifiedMs) || !isNumber(changedMs)) return null;
  if (!isNumber(inode) || !isNumber(mode) || !(content === null || isContentId(content))) return null;
  const look = { kind, size, modifiedMs, changedMs, inode, mode };
  return {
    path,
    look,
    content,
    target: typeof target === "string" ? target : null,
    isFresh: isFresh === true,
  };
}

function parsed(line: string): JsonValue | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === "number";
}

function isKind(value: JsonValue | undefined): value is FileKind {
  return value === "file" || value === "link" || value === "folder" || value === "special";
}

function isContentId(value: JsonValue | undefined): value is ContentId {
  return typeof value === "string" && /^(?:sha256|git):[0-9a-f]{40,64}$/.test(value);
}
