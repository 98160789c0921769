// read_file: reads lines of a text file of any size, or an image.
import { type BigIntStats, fstatSync, statSync } from "node:fs";
import { open, readFile as readWhole } from "node:fs/promises";
import { z } from "zod";
import { type ImageType, recognizeImage, wholeImageType } from "../base/image.ts";
import { newHasher } from "../base/runtime.ts";
import type { Content } from "../domain/content.ts";
import type { ToolOutput } from "../domain/tool.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { type FileAccess, type FileLocation, fileIdentity, requireRegularFile } from "./file-access.ts";
import { type ByteSource, findTail, type LinesRead, readFileLines } from "./file-lines.ts";
import { fileError } from "./file-problem.ts";
import { detectEncoding, isBinary, WHOLE_FILE_BYTES } from "./file-text.ts";
import description from "./read-file.md" with { type: "text" };
import { pathDemand } from "./workspace-path.ts";

export const MAX_LINES = 2_000;
export const MAX_LINE_CHARACTERS = 2_000;
/** Under the cap of every return (50,000), so that this tool can say which lines are left out. */
const MAX_CHARACTERS = 40_000;
/** Vendors take images up to 5 MB as base64, and up to 8,000 pixels a side. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_IMAGE_PIXELS = 8_000;
/** Enough for a BOM, the NUL probe, and the headers of an image. */
const HEAD_BYTES = 64 * 1024;
const DEADLINE_MS = 60_000;

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
  demands: ({ filepath }, { workspace }) => [pathDemand(workspace, filepath, "read", "file")],
  ruleTopic: "read",
  rulesReachShell: true,
  label: labelOf("Read", "filepath"),
  question: "May this file be read?",
  resultStyle: "count",
  names: { hooks: "Read", editors: "read" },
  async execute({ filepath, offset, limit }, { signal, grant }, { files }) {
    const file = await files.locate(filepath, grant);
    const reading = { files, file, offset, limit, signal };
    try {
      const stats = statSync(file.real, { bigint: true });
      requireRegularFile(stats, file.shown);
      // Most files are small, and reading one whole takes a single trip through the thread pool.
      if (stats.size > 0n && stats.size <= HEAD_BYTES) {
        const head = await readWhole(file.real);
        return await readOpened({ ...reading, stats, head, source: inMemory(head) });
      }
      const handle = await open(file.real, "r");
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES, 0);
        const opened = { stats: fstatSync(handle.fd, { bigint: true }), head: buffer.subarray(0, bytesRead) };
        return await readOpened({ ...reading, ...opened, source: handle });
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw await files.explain(error, file);
    }
  },
});

interface Reading {
  readonly files: FileAccess;
  readonly file: FileLocation;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly stats: BigIntStats;
  /** The beginning of the file, or all of it. */
  readonly head: Buffer;
  readonly source: ByteSource;
}

async function readOpened(reading: Reading): Promise<ToolOutput> {
  const { files, file, offset, limit, signal, stats, head, source } = reading;
  const size = Number(stats.size);
  const image = recognizeImage(head);
  if (image !== null) return readImage(file, source, image, size);
  if (isBinary(head))
    throw fileError(
      `${file.shown} is a binary file of ${bytesText(size)}. Use bash (file, xxd, strings) to look inside.`,
    );

  const { encoding, bom } = detectEncoding(head);
  const isWhole = size <= WHOLE_FILE_BYTES;
  const digest = newHasher();
  const common = {
    encoding,
    size,
    limit,
    maxLineCharacters: MAX_LINE_CHARACTERS,
    maxCharacters: MAX_CHARACTERS,
    startByte: bom.length,
  };
  const remember = (isHashed: boolean) =>
    files.remember(file, { identity: fileIdentity(stats), hash: isHashed ? digest.digest("hex") : null });

  // Far from the beginning of a large file the line's number is unknown, so it is counted from the end.
  if (offset < 0 && !isWhole && encoding === "utf-8") {
    const tail = await findTail(source, { from: bom.length, size, count: -offset }, signal);
    const { startByte } = tail;
    const read = await readFileLines(source, { ...common, startByte, skip: 0, toTheEnd: false }, signal);
    remember(false);
    return present(file, read, startByte === bom.length ? 1 : -tail.lines, size);
  }

  digest.update(bom);
  const countLines = async () =>
    (await readFileLines(source, { ...common, limit: 0, skip: 0, toTheEnd: true }, signal)).counted;
  const skip = Math.max(0, offset < 0 ? (await countLines()) + offset : offset - 1);
  const onChunk = (chunk: Buffer) => isWhole && digest.update(chunk);
  const read = await readFileLines(source, { ...common, skip, toTheEnd: isWhole, onChunk }, signal);
  remember(isWhole);
  return present(file, read, skip + 1, size);
}

function inMemory(bytes: Buffer): ByteSource {
  return { read: async (into, offset, _length, from) => ({ bytesRead: bytes.copy(into, offset, from) }) };
}

async function readImage(
  file: FileLocation,
  source: ByteSource,
  { mediaType, width, height }: ImageType,
  size: number,
): Promise<ToolOutput> {
  const text = `${file.shown}: ${mediaType}, ${width}x${height} pixels, ${bytesText(size)}`;
  if (size > MAX_IMAGE_BYTES || Math.max(width, height) > MAX_IMAGE_PIXELS)
    throw fileError(
      `${text}. That is too large to look at (most ${bytesText(MAX_IMAGE_BYTES)}, ${MAX_IMAGE_PIXELS} pixels a side). Make a smaller copy with bash and read that.`,
    );
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await source.read(bytes, 0, size, 0);
  if (wholeImageType(bytes.subarray(0, bytesRead)) === null)
    throw fileError(`${text}. It is damaged or cut off: it can't be looked at.`);
  const data = bytes.toString("base64", 0, bytesRead);
  const content: Content = [
    { type: "text", text },
    { type: "image", mediaType, data },
  ];
  return { content };
}

/** `first` is the number of the first line shown, negative if counted from the end. */
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
