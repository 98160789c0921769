// write_file: creates a file, or replaces one the model has seen.
import { z } from "zod";
import { createTimeSlices, type TimeSlices } from "../base/time-slices.ts";
import { type Grant, UNJUDGED } from "../domain/grant.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { carryOut, type PlannedEdit, previewOf } from "./edit-details.ts";
import { ASKED_ABOUT, createdDiff, editDiff, REPORTED } from "./edit-diff.ts";
import type { Splice } from "./edit-plan.ts";
import type { FileAccess } from "./file-access.ts";
import { fileError } from "./file-problem.ts";
import { isBinary, mainLineEnd, readFileText, toFileBytes, withLineEnd } from "./file-text.ts";
import { pathDemand } from "./workspace-path.ts";
import description from "./write-file.md" with { type: "text" };

const DEADLINE_MS = 60_000;
const BLOCK_BYTES = 64 * 1024;

const schema = z.object({ filepath: z.string().min(1), content: z.string() });

export const writeFile = defineTool({
  name: "write_file",
  kind: "write",
  description,
  schema,
  deadlineMs: DEADLINE_MS,
  demands: ({ filepath }, { workspace }) => [pathDemand(workspace, filepath, "write", "file")],
  ruleTopic: "write",
  rulesReachShell: true,
  label: labelOf("Write", "filepath"),
  question: "May this file be written?",
  names: { hooks: "Write", editors: "edit" },
  preview: (args, { files }, signal) => previewOf(plan(args, files, UNJUDGED, signal, ASKED_ABOUT)),
  async execute(args, { signal, grant }, { files }) {
    const planned = await plan(args, files, grant, signal);
    const { shown } = planned.file;
    if (planned.isSame) return `${shown} already has this content.`;
    const size = planned.bytes.reduce((sum, piece) => sum + piece.length, 0);
    const said = planned.before === null ? `Created ${shown} (${size} bytes).` : `Replaced ${shown}.`;
    return await carryOut(planned, files, signal, said);
  },
});

/** Does everything but the writing. Throws if the file may not be replaced. */
async function plan(
  { filepath, content }: z.output<typeof schema>,
  files: FileAccess,
  grant: Grant,
  signal: AbortSignal,
  extent = REPORTED,
): Promise<PlannedEdit & { readonly isSame?: true }> {
  const file = await files.locate(filepath, grant);
  const before = await files.load(file, signal);
  if (before === null)
    return { file, before, bytes: [Buffer.from(content)], diff: createdDiff(content, extent) };
  if (isBinary(before.bytes)) throw fileError(`${file.shown} is a binary file. Change it with bash.`);
  switch (files.seen(file, before)) {
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
  if (change === null) return { file, before, bytes: [], diff: "", isSame: true };
  const diff = await editDiff(text.body, [change], slices, extent);
  return { file, before, bytes: toFileBytes(text, [body]), diff };
}

/** A model writes plain newlines and no BOM. If it does write a CRLF, it means it. */
function likeBefore(content: string, before: Buffer): string {
  const text = content.replace(/^\uFEFF/, "");
  const isPlain = !text.includes("\r\n");
  return isPlain && mainLineEnd(before) === "\r\n" ? withLineEnd(text, "\r\n") : text;
}

/** The part between the common beginning and the common end; null if the texts are the same. */
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

/** The length of the common beginning, found by blocks, then by bisection within a block. */
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
