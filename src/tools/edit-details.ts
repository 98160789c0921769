// What the two editing tools have in common: they preview an edit, and carry it out.
import { ToolError } from "../domain/error.ts";
import type { CallPreview, ToolOutput } from "../domain/tool.ts";
import { diffReport } from "./edit-diff.ts";
import type { FileAccess, Replacement } from "./file-access.ts";

/** An edit before it is written. */
export interface PlannedEdit extends Replacement {
  readonly diff: string;
}

/** An edit that can't be carried out is reported before anybody is asked. */
export async function previewOf(plan: Promise<{ readonly diff: string }>): Promise<CallPreview> {
  try {
    return { type: "diff", diff: (await plan).diff, numbered: true };
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
