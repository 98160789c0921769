// Explains file errors in words that a model can act on.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorMessage, ToolError } from "../domain/error.ts";
import { nearNames } from "./near-names.ts";
import type { Workspace } from "./ports.ts";
import { displayPath } from "./workspace-path.ts";

export function fileError(message: string, cause?: unknown): ToolError {
  return new ToolError("file-operation", message, cause === undefined ? undefined : { cause });
}

/** Turns a file system error into one for the model. Rethrows anything else, such as an abort or a bug. */
export async function explainFileError(
  error: unknown,
  path: string,
  workspace: Workspace,
): Promise<ToolError> {
  const shown = displayPath(workspace, path);
  switch (errorNumber(error)) {
    case undefined:
      throw error;
    case "ENOENT":
      return explainMissing(path, workspace, error);
    case "ENOTDIR":
      return fileError(`${shown} can't exist: part of its path is a file, not a directory.`, error);
    case "EISDIR":
      return fileError(`${shown} is a directory. Use list_dir to see what is in it.`, error);
    case "EACCES":
    case "EPERM":
      return fileError(`Permission denied for ${shown}. The person has to change its mode or owner.`, error);
    case "EROFS":
      return fileError(`${shown} is on a read-only file system.`, error);
    case "ENOSPC":
    case "EDQUOT":
      return fileError(`No space left on the disk for ${shown}. Nothing was changed.`, error);
    case "ELOOP":
      return fileError(`${shown} is a symbolic link that points back to itself.`, error);
    case "ENAMETOOLONG":
      return fileError(`The path is too long: ${shown.slice(0, 200)}`, error);
    default:
      return fileError(`${shown}: ${errorMessage(error)}`, error);
  }
}

export function errorNumber(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "errno" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export async function explainMissing(
  path: string,
  workspace: Workspace,
  cause?: unknown,
): Promise<ToolError> {
  const said = `${displayPath(workspace, path)} doesn't exist.`;
  const near = await nearNames(path);
  if (near.length > 0) {
    const names = near.map((name) => displayPath(workspace, name)).join(", ");
    return fileError(`${said} Did you mean: ${names}?`, cause);
  }
  const folder = await deepestFolder(dirname(path));
  const hint =
    folder === dirname(path)
      ? "Nothing in that directory has a similar name."
      : `Its path exists up to ${displayPath(workspace, folder).replace(/^\.$/, "the working directory")}.`;
  return fileError(`${said} ${hint} Use list_dir or glob to find it.`, cause);
}

async function deepestFolder(folder: string): Promise<string> {
  const parent = dirname(folder);
  if (parent === folder) return folder;
  const found = await stat(folder).catch(() => null);
  return found?.isDirectory() ? folder : deepestFolder(parent);
}
