// What the two editing tools have in common: they preview an edit, and carry it out.
import { plural } from "../base/numbers.ts";
import { ToolError } from "../domain/error.ts";
import type { CallPreview, ToolOutput } from "../domain/tool.ts";
import { diffReport } from "./edit-diff.ts";
import type { FileAccess, Replacement } from "./file-access.ts";
import { detectEncoding } from "./file-text.ts";

const EXECUTABLE = 0o111n;
const LINE_BREAK = 10;

/** An edit before it is written. */
export interface PlannedEdit extends Replacement {
  readonly diff: string;
}

/** An edit that can't be carried out is reported before anybody is asked. */
export async function previewOf(plan: Promise<PlannedEdit>): Promise<CallPreview> {
  try {
    const edit = await plan;
    const diff = withoutCommonReturns(edit.diff);
    const remarks = [
      ...remarksOn(edit),
      ...(diff === edit.diff ? [] : ["Every line ends with U+000D U+000A."]),
    ];
    return { type: "diff", diff, numbered: true, ...(remarks.length === 0 ? {} : { remarks }) };
  } catch (error) {
    if (error instanceof ToolError) return { type: "failure", reason: error.message };
    throw error;
  }
}

export async function carryOut(
  edit: PlannedEdit,
  files: FileAccess,
  signal: AbortSignal,
  said: string,
): Promise<ToolOutput> {
  const remarks = await files.save(edit, signal);
  // The file is written: from here on nothing may fail the call.
  const diagnostics = await files.diagnose(edit.file, signal);
  const { file, diff } = edit;
  const created = edit.before === null;
  const lines = [said, ...remarks];
  if (!created) lines.push("", diffReport(file.shown, diff));
  if (diagnostics !== null) lines.push("", diagnostics);
  return { content: lines.join("\n"), details: { type: "edit", path: file.path, diff, created } };
}

/** What the diff can't say. */
function remarksOn({ file, before, bytes, diff }: PlannedEdit): string[] {
  const remarks: string[] = [];
  if (file.isLink) remarks.push(`It leads to ${file.real}`);
  if (before === null) remarks.push(`A new file of ${sizeOf(bytes)}.`);
  else {
    const { encoding, bom } = detectEncoding(before.bytes);
    if (bom.length > 0) remarks.push(`The file is ${encoding} with a byte order mark.`);
    if ((before.stats.mode & EXECUTABLE) !== 0n) remarks.push("The file is executable.");
    if (diff === "") remarks.push("The file has this content already.");
  }
  return remarks;
}

function sizeOf(pieces: readonly Buffer[]): string {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const breaks = pieces.reduce((sum, piece) => sum + piece.toString("latin1").split("\n").length - 1, 0);
  return `${plural(breaks + (pieces.at(-1)?.at(-1) === LINE_BREAK || bytes === 0 ? 0 : 1), "line")}, ${plural(bytes, "byte")}`;
}

/** In a file with such line ends, a number at the end of every line would say nothing. */
function withoutCommonReturns(diff: string): string {
  const lines = diff.split("\n");
  const isText = (line: string) => /^[-+ ]/.test(line);
  const isCommon = lines.some(isText) && lines.every((line) => !isText(line) || line.endsWith("\r"));
  return isCommon ? lines.map((line) => (isText(line) ? line.slice(0, -1) : line)).join("\n") : diff;
}
