// Paths as a model writes them (relative, ~) and as it reads them back (relative to the project where inside).
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Workspace } from "./ports.ts";

export function resolveInWorkspace(workspace: Workspace, path: string): string {
  if (path === "~") return homedir();
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  return resolve(workspace.cwd(), path);
}

export function displayPath(workspace: Workspace, absolute: string): string {
  const inside = relative(workspace.root, absolute);
  if (inside === "") return ".";
  return isOutside(inside) ? absolute : inside;
}

function isOutside(relativePath: string): boolean {
  return relativePath === ".." || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath);
}
