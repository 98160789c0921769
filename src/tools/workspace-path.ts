// Resolves paths as a model writes them (relative, ~) and shows them so that they can be passed to the next tool.
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { PathDemand } from "../domain/grant.ts";
import type { Workspace } from "./ports.ts";

export function resolveInWorkspace(workspace: Workspace, path: string): string {
  if (path === "~" || path.startsWith("~/")) return join(workspace.home ?? homedir(), path.slice(1));
  return resolve(workspace.cwd(), path);
}

export function pathDemand(
  workspace: Workspace,
  path: string,
  access: PathDemand["access"],
  extent: PathDemand["extent"],
): PathDemand {
  return { type: "path", access, path: resolveInWorkspace(workspace, path), extent };
}

/** Relative to the working directory inside the project, because that is how it is resolved; absolute elsewhere. */
export function displayPath(workspace: Workspace, absolute: string): string {
  if (isOutside(relative(workspace.root, absolute))) return absolute;
  return relative(workspace.cwd(), absolute) || ".";
}

function isOutside(relativePath: string): boolean {
  return relativePath === ".." || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath);
}
