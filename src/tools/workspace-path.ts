// Paths as a model writes them (relative, ~) and as it reads them back: what is shown can be given to the next tool.
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Workspace } from "./ports.ts";

export function resolveInWorkspace(workspace: Workspace, path: string): string {
  if (path === "~" || path.startsWith("~/")) return join(workspace.home ?? homedir(), path.slice(1));
  return resolve(workspace.cwd(), path);
}

/** Inside the project from the working directory, because that is how it would be resolved; absolute elsewhere. */
export function displayPath(workspace: Workspace, absolute: string): string {
  if (isOutside(relative(workspace.root, absolute))) return absolute;
  return relative(workspace.cwd(), absolute) || ".";
}

function isOutside(relativePath: string): boolean {
  return relativePath === ".." || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath);
}
