// What a change did to the lines of a file, from the bytes that are kept; bounded in size, number and time.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { sha256 } from "../base/digest.ts";
import { createTimeSlices, type TimeSlices } from "../base/time-slices.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { FoundContent, WantedContent } from "../checkpoint/contents.ts";
import type { ContentId, FileChange, FileImage } from "../domain/file-change.ts";
import type { FileDiff, LineCounts } from "./undo.ts";

export interface KeptBytes {
  readonly root: string;
  /** null: they are gone. */
  readonly read: (path: string, content: ContentId) => Promise<Uint8Array | null>;
  /** Each of these once, in any order; quicker than one by one. */
  readonly readAll: (wanted: readonly WantedContent[]) => AsyncIterable<FoundContent>;
}

const MOST_BYTES = 1_000_000;
const MOST_FILES = 200;
const MOST_MS = 2_000;
/** Read ahead of being compared. */
const MOST_READ_BYTES = 16_000_000;
/** As in git: whatever has a NUL near its beginning is no text. */
const LOOKED_AT_BYTES = 8_000;
const EXTENT = { mostLines: 20_000, longestLine: 2_000, ignoresLineEnds: false };

export async function diffOf({ path, before, after }: FileChange, kept: KeptBytes): Promise<FileDiff> {
  const shape = otherThanText(before, after);
  if (shape !== null) return { type: "none", reason: shape };
  const [old, fresh] = [await bytesOf(path, before, kept), await bytesOf(path, after, kept)];
  if (old === null || fresh === null)
    return { type: "none", reason: "What was in the file is no longer kept." };
  // A content that git has and one of our store have different names for the same bytes.
  if (before.type === "file" && after.type === "file" && old.equals(fresh))
    return { type: "none", reason: modeChange(before.mode, after.mode) };
  if ([old, fresh].some(isBinary)) return { type: "none", reason: "The file is not text." };
  const slices = createTimeSlices();
  const diff = await textDiff(old, fresh, slices);
  return { type: "text", diff, lines: countLines(diff, old, fresh) };
}

/** null where they can't be told: the bytes are gone, or counting them all would take too long. */
export async function countedLines(
  changes: readonly FileChange[],
  kept: KeptBytes,
  budget: CountBudget,
): Promise<LineCounts | null> {
  const sum = { added: 0, removed: 0 };
  for (const change of changes) {
    if (budget.files-- <= 0 || performance.now() > budget.deadline) return null;
    const diff = await diffOf(change, kept);
    if (diff.type === "none") continue;
    sum.added += diff.lines.added;
    sum.removed += diff.lines.removed;
  }
  return sum;
}

/** The same with the bytes of these already read, as far as they are going to be counted. */
export async function readAhead(changes: readonly FileChange[], kept: KeptBytes): Promise<KeptBytes> {
  const wanted = new Map<ContentId, WantedContent>();
  let left = MOST_READ_BYTES;
  for (const { path, before, after } of changes.slice(0, MOST_FILES))
    for (const image of [before, after]) {
      if (image.type !== "file" || image.content === null || image.size > MOST_BYTES) continue;
      left -= image.size;
      if (left > 0) wanted.set(image.content, { path, content: image.content });
    }
  const found = new Map<ContentId, Uint8Array | null>();
  for await (const { content, bytes } of kept.readAll([...wanted.values()])) found.set(content, bytes);
  return { ...kept, read: async (path, content) => found.get(content) ?? kept.read(path, content) };
}

/** Shared by several counts. */
export interface CountBudget {
  files: number;
  readonly deadline: number;
}

export function newCountBudget(): CountBudget {
  return { files: MOST_FILES, deadline: performance.now() + MOST_MS };
}

/** Why there are no lines to compare; null: there are. */
function otherThanText(before: FileImage, after: FileImage): string | null {
  const files = [before, after].filter((image) => image.type === "file");
  const isText =
    files.length > 0 && [before, after].every(({ type }) => type === "file" || type === "absent");
  if (!isText) return describeShapes(before, after);
  if (files.some(({ size }) => size > MOST_BYTES)) return "The file is too large to compare.";
  const [one, other] = files;
  if (one === undefined || other === undefined || one.content === null || one.content !== other.content)
    return null;
  return modeChange(one.mode, other.mode);
}

function modeChange(before: number, after: number): string {
  return `Mode ${before.toString(8)} becomes ${after.toString(8)}.`;
}

/** For what was done and for what would be done. */
function describeShapes(before: FileImage, after: FileImage): string {
  const [old, fresh] = [describe(before), describe(after)];
  if (before.type === "absent") return `New: ${fresh}.`;
  if (after.type === "absent") return `Removed: ${old}.`;
  if (before.type === "folder" && after.type === "folder") return modeChange(before.mode, after.mode);
  return `${old.charAt(0).toUpperCase()}${old.slice(1)} becomes ${fresh}.`;
}

function describe(image: FileImage): string {
  switch (image.type) {
    case "absent":
      return "absent";
    case "file":
      return "a file";
    case "link":
      return `a link to ${visibleLine(image.target)}`;
    case "folder":
      return "a folder";
    case "special":
      return "neither a file nor a folder";
  }
}

async function bytesOf(path: string, image: FileImage, kept: KeptBytes): Promise<Buffer | null> {
  if (image.type !== "file") return Buffer.alloc(0);
  const { content } = image;
  const found = content === null ? null : await kept.read(path, content);
  return found === null ? onDisk(resolve(kept.root, path), image) : Buffer.from(found);
}

/** What is there now need not be kept yet. */
async function onDisk(path: string, { content, size }: FileImage & { type: "file" }): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  try {
    const stat = await file?.stat();
    if (file === null || stat?.isFile() !== true || stat.size !== size || size > MOST_BYTES) return null;
    const bytes = await file.readFile();
    return content === null || `sha256:${sha256(bytes)}` === content ? bytes : null;
  } catch {
    return null;
  } finally {
    await file?.close();
  }
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
}

async function textDiff(old: Buffer, fresh: Buffer, slices: TimeSlices): Promise<string> {
  const { createdDiff, editDiff } = await import("../tools/edit-diff.ts");
  if (old.length === 0) return createdDiff(fresh.toString("utf8"), EXTENT);
  const start = sameStart(old, fresh);
  const end = sameEnd(old, fresh, start);
  const text = fresh.subarray(start, fresh.length - end);
  return editDiff(old, [{ start, end: old.length - end, text }], slices, EXTENT);
}

function sameStart(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at++;
  return at;
}

function sameEnd(one: Buffer, other: Buffer, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let at = 0;
  while (at < most && one[one.length - 1 - at] === other[other.length - 1 - at]) at++;
  return at;
}

/** Where the lines were too different to be compared, all of them are others. */
function countLines(diff: string, old: Buffer, fresh: Buffer): LineCounts {
  const lines = diff.split("\n");
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  if (added + removed > 0) return { added, removed };
  return { added: linesIn(fresh), removed: linesIn(old) };
}

function linesIn(bytes: Buffer): number {
  if (bytes.length === 0) return 0;
  return bytes.toString("utf8").split("\n").length - (bytes.at(-1) === 0x0a ? 1 : 0);
}
