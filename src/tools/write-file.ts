// write_file: creates a file, or replaces one the model has seen.
import { createTimeSlices, type TimeSlices } from "../base/time-slices.ts";
import type { Tool } from "../domain/tool.ts";
import { defineTool, type Zod } from "./define-tool.ts";
import { editDiff } from "./edit-diff.ts";
import type { Splice } from "./edit-plan.ts";
import type { FileAccess, FileLocation, LoadedFile } from "./file-access.ts";
import { fileError } from "./file-problem.ts";
import { isBinary, mainLineEnd, readFileText, toFileBytes, withLineEnd } from "./file-text.ts";
import description from "./write-file.md" with { type: "text" };

const DEADLINE_MS = 60_000;
const BLOCK_BYTES = 64 * 1024;

export const makeSchema = (z: Zod) => z.object({ filepath: z.string().min(1), content: z.string() });

export function createWriteFile(access: FileAccess): Tool {
  return defineTool({
    name: "write_file",
    kind: "write",
    description,
    makeSchema,
    deadlineMs: DEADLINE_MS,
    async execute({ filepath, content }, { signal }) {
      const file = await access.locate(filepath);
      const before = await access.load(file, signal);
      const written =
        before === null
          ? await create(access, file, content, signal)
          : await replace(access, file, before, content, signal);
      // The file is written: from here on nothing may fail the call.
      const diagnostics = written.isChanged ? await access.diagnose(file, signal) : null;
      return [...written.report, ...(diagnostics === null ? [] : ["", diagnostics])].join("\n");
    },
  });
}

interface Written {
  readonly isChanged: boolean;
  readonly report: readonly string[];
}

async function create(
  access: FileAccess,
  file: FileLocation,
  content: string,
  signal: AbortSignal,
): Promise<Written> {
  const bytes = Buffer.from(content);
  const remarks = await access.save(file, null, [bytes], signal);
  return { isChanged: true, report: [`Created ${file.shown} (${bytes.length} bytes).`, ...remarks] };
}

async function replace(
  access: FileAccess,
  file: FileLocation,
  before: LoadedFile,
  content: string,
  signal: AbortSignal,
): Promise<Written> {
  if (isBinary(before.bytes)) throw fileError(`${file.shown} is a binary file. Change it with bash.`);
  switch (access.seen(file, before)) {
    case "never":
      throw fileError(`${file.shown} exists and was not read yet. Read it with read_file, then write it.`);
    case "outdated":
      throw fileError(`${file.shown} changed since it was read. Read it again, then write it.`);
    case "current":
  }
  const slices = createTimeSlices(signal);
  const text = readFileText(before.bytes, file.shown);
  const body = Buffer.from(likeBefore(content, text.body));
  const change = await onlyChange(text.body, body, slices);
  if (change === null) return { isChanged: false, report: [`${file.shown} already has this content.`] };
  const diff = await editDiff(file.shown, text.body, [change], slices);
  const remarks = await access.save(file, before, toFileBytes(text, [body]), signal);
  return { isChanged: true, report: [`Replaced ${file.shown}.`, ...remarks, "", diff] };
}

/** A model writes plain newlines and no BOM; where it wrote a CRLF itself, it means what it says. */
function likeBefore(content: string, before: Buffer): string {
  const text = content.replace(/^\uFEFF/, "");
  const isPlain = !text.includes("\r\n");
  return isPlain && mainLineEnd(before) === "\r\n" ? withLineEnd(text, "\r\n") : text;
}

/** What lies between the common beginning and the common end; null when nothing does. */
async function onlyChange(before: Buffer, after: Buffer, slices: TimeSlices): Promise<Splice | null> {
  const shorter = Math.min(before.length, after.length);
  const start = await commonLength(shorter, slices, (from, to) =>
    before.subarray(from, to).equals(after.subarray(from, to)),
  );
  if (start === shorter && before.length === after.length) return null;
  const tail = await commonLength(shorter - start, slices, (from, to) =>
    before
      .subarray(before.length - to, before.length - from)
      .equals(after.subarray(after.length - to, after.length - from)),
  );
  return { start, end: before.length - tail, text: after.subarray(start, after.length - tail) };
}

/** How far two texts of this length are the same: by blocks, then by halves within a block. */
async function commonLength(
  length: number,
  slices: TimeSlices,
  isSame: (from: number, to: number) => boolean,
): Promise<number> {
  let low = 0;
  while (low < length && isSame(low, Math.min(length, low + BLOCK_BYTES))) {
    low = Math.min(length, low + BLOCK_BYTES);
    if (slices.due()) await slices.rest();
  }
  let high = Math.min(length, low + BLOCK_BYTES);
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (isSame(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
