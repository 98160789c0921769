// What the two editing tools have in common besides the edit: what they demand, and what their result and preview say.
import { ToolError } from "../domain/error.ts";
import type { PathDemand } from "../domain/grant.ts";
import type { CallPreview, ToolOutput } from "../domain/tool.ts";
import type { FileLocation } from "./file-access.ts";
import type { Workspace } from "./ports.ts";
import { resolveInWorkspace } from "./workspace-path.ts";

export function writeDemand(workspace: Workspace, filepath: string): PathDemand {
  return { type: "path", access: "write", path: resolveInWorkspace(workspace, filepath), extent: "file" };
}

export interface EditReport {
  readonly file: FileLocation;
  readonly created: boolean;
  readonly diff: string;
  readonly lines: readonly (string | null)[];
}

export function editOutput({ file, created, diff, lines }: EditReport): ToolOutput {
  const content = lines.filter((line) => line !== null).join("\n");
  return { content, details: { type: "edit", path: file.path, diff, created } };
}

/** Why a plan can't be carried out is known before anybody is asked. */
export async function previewOf(plan: () => Promise<string>): Promise<CallPreview> {
  try {
    return { type: "diff", diff: await plan(), numbered: true };
  } catch (error) {
    if (error instanceof ToolError) return { type: "failure", reason: error.message };
    throw error;
  }
}
