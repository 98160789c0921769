// read_file: lines of a text file of any size, or an image.
import { type BigIntStats, statSync } from "node:fs";
import { type FileHandle, open, readFile as readWhole } from "node:fs/promises";
import { z } from "zod";
import { newHasher } from "../base/runtime.ts";
import type { ToolOutput } from "../domain/tool.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { type FileAccess, type FileLocation, fileIdentity, requireRegularFile } from "./file-access.ts";
import { type ByteSource, type FileHead, type LinesRead, readFileLines } from "./file-lines.ts";
import { fileError } from "./file-problem.ts";
import { findTail } from "./file-tail.ts";
import { detectEncoding, isBinary, WHOLE_FILE_BYTES } from "./file-text.ts";
import { type ImageType, recognizeImage } from "./image-type.ts";
import description from "./read-file.md" with { type: "text" };
import { resolveInWorkspace } from "./workspace-path.ts";

export const MAX_LINES = 2_000;
export const MAX_LINE_CHARACTERS = 2_000;
/** Under the cap of every return (50,000), so that what is left out is said in lines. */
const MAX_CHARACTERS = 40_000;
/** Vendors take images up to 5 MB as base64, and up to 8,000 pixels a side. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_IMAGE_PIXELS = 8_000;
/** Enough for a BOM, the NUL probe, and the headers of an image. */
const HEAD_BYTES = 64 * 1024;
const DEADLINE_MS = 60_000;

interface Window {
  readonly offset: number;
  readonly limit: number;
}

export const readFile = defineTool({
  name: "read_file",
  kind: "read",
  description,
  schema: z.object({
    filepath: z.string().min(1),
    offset: z.int().default(1).describe("First line, from 1; negative: from the end"),
    limit: z.int().min(1).default(MAX_LINES).describe("Number of lines"),
  }),
  deadlineMs: DEADLINE_MS,
  isOffered: () => true,
  demands: ({ filepath }, { workspace }) => [
    { type: "path", access: "read", path: resolveInWorkspace(workspace, filepath), extent: "file" },
  ],
  ruleTopic: "read",
  rulesReachShell: true,
  label: labelOf("Read", "filepath"),
  question: "May this file be read?",
  resultStyle: "count",
  names: { hooks: "Read", editors: "read" },
  async execute({ filepath, offset, limit }, { signal, grant }, { files }) {
    const file = await files.locate(filepath, grant);
    try {
      const stats = statSync(file.real, { bigint: true });
      requireRegularFile(stats, file.shown);
      const small = await readSmall(file, stats);
      if (small !== null) return await readOpened(files, file, small, { offset, limit }, signal);
      const handle = await open(file.real, "r");
      try {
        return await readOpened(files, file, await openedFile(handle), { offset, limit }, signal);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw await files.explain(error, file);
    }
  },
});

interface OpenedFile {
  readonly stats: BigIntStats;
  readonly head: FileHead;
  /** For what comes after the head. */
  readonly source: ByteSource;
}

/** In one step instead of four, as nearly every file is. null: it is larger, or changing right now. */
async function readSmall(file: FileLocation, stats: BigIntStats): Promise<OpenedFile | null> {
  // Files in /proc have content and a size of 0.
  if (stats.size === 0n || stats.size > HEAD_BYTES) return null;
  const bytes = await readWhole(file.real);
  if (bytes.length !== Number(stats.size)) return null;
  return { stats, head: { bytes, isWhole: true }, source: { read: async () => ({ bytesRead: 0 }) } };
}

async function openedFile(handle: FileHandle): Promise<OpenedFile> {
  const stats = await handle.stat({ bigint: true });
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return { stats, head: { bytes: buffer.subarray(0, bytesRead), isWhole: false }, source: handle };
}

async function readOpened(
  access: FileAccess,
  file: FileLocation,
  { stats, head, source }: OpenedFile,
  window: Window,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const size = Number(stats.size);
  const image = recognizeImage(head.bytes);
  if (image !== null) return readImage(file, { head, source }, image, size);
  if (isBinary(head.bytes))
    throw fileError(
      `${file.shown} is a binary file of ${bytesText(size)}. Use bash (file, xxd, strings) to look inside.`,
    );

  const { encoding, bom } = detectEncoding(head.bytes);
  const isWhole = size <= WHOLE_FILE_BYTES;
  const digest = newHasher();
  const common = {
    encoding,
    head,
    limit: window.limit,
    maxLineCharacters: MAX_LINE_CHARACTERS,
    maxCharacters: MAX_CHARACTERS,
    startByte: bom.length,
  };
  const remember = (isHashed: boolean) =>
    access.remember(file, { identity: fileIdentity(stats), hash: isHashed ? digest.digest("hex") : null });

  // Far from the beginning of a large file nobody knows the line's number, so it is counted from the end.
  if (window.offset < 0 && !isWhole && encoding === "utf-8") {
    const tail = await findTail(source, bom.length, size, -window.offset, signal);
    const read = await readFileLines(
      source,
      { ...common, startByte: tail.startByte, skip: 0, toTheEnd: false },
      signal,
    );
    remember(false);
    return present(file, read, tail.startByte === bom.length ? 1 : -tail.lines, size);
  }

  digest.update(bom);
  const skip = window.offset < 0 ? (await countLines()) + window.offset : window.offset - 1;
  const first = Math.max(0, skip);
  const read = await readFileLines(
    source,
    { ...common, skip: first, toTheEnd: isWhole, onChunk: (chunk) => isWhole && digest.update(chunk) },
    signal,
  );
  remember(isWhole);
  return present(file, read, first + 1, size);

  async function countLines(): Promise<number> {
    const all = await readFileLines(source, { ...common, limit: 0, skip: 0, toTheEnd: true }, signal);
    return all.counted;
  }
}

async function readImage(
  file: FileLocation,
  { head, source }: Pick<OpenedFile, "head" | "source">,
  { mediaType, width, height }: ImageType,
  size: number,
): Promise<ToolOutput> {
  const what = `${file.shown}: ${mediaType}, ${width}x${height} pixels, ${bytesText(size)}`;
  if (size > MAX_IMAGE_BYTES || Math.max(width, height) > MAX_IMAGE_PIXELS)
    throw fileError(
      `${what}. That is too large to look at (most ${bytesText(MAX_IMAGE_BYTES)}, ${MAX_IMAGE_PIXELS} pixels a side). Make a smaller copy with bash and read that.`,
    );
  const bytes = head.isWhole ? head.bytes : await readBytes(source, size);
  return {
    content: [
      { type: "text", text: what },
      { type: "image", mediaType, data: bytes.toString("base64") },
    ],
  };
}

async function readBytes(source: ByteSource, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await source.read(bytes, 0, size, 0);
  return bytes.subarray(0, bytesRead);
}

/** `first`: the number of the first line shown; negative when counted from the end. */
function present(file: FileLocation, read: LinesRead, first: number, size: number): ToolOutput {
  const details = { type: "count", count: read.lines.length, of: "line" } as const;
  if (read.complete && read.counted === 0) return { content: `[${file.shown} is empty.]`, details };
  if (read.lines.length === 0)
    throw fileError(`${file.shown} has ${read.counted} lines; there is no line ${first}.`);
  const shown = read.lines.map(({ text, cutFrom }, index) => {
    const cut = cutFrom === null ? "" : ` [cut; the line has ${bytesText(cutFrom)}]`;
    return `${first + index}\t${text}${cut}`;
  });
  const remarks = [remainder(read, first, size)];
  if (read.invalidUtf8) remarks.push("Bytes that aren't valid UTF-8 are shown as \uFFFD.");
  const remark = remarks.filter((text) => text !== "").join(" ");
  return { content: shown.join("\n") + (remark === "" ? "" : `\n\n[${remark}]`), details };
}

function remainder(read: LinesRead, first: number, size: number): string {
  const next = first + read.lines.length;
  const last = next - 1;
  if (read.stoppedBy === null)
    return first === 1 || first < 0 ? "" : `Lines ${first}-${last}, to the end of the file.`;
  const total = read.complete ? ` of ${read.counted}` : ` of a file of ${bytesText(size)}`;
  const why = read.stoppedBy === "characters" ? ` Stopped at ${MAX_CHARACTERS} characters.` : "";
  const range = first > 0 ? `Lines ${first}-${last}` : `Lines ${first} to ${last} from the end`;
  return `${range}${total}.${why} Go on with offset ${next}.`;
}

function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
