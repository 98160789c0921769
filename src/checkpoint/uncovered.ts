// What undo would not bring back, known before anything happens to it.
import { basename, dirname, relative } from "node:path";
import { isWithin } from "../base/real-path.ts";
import type { StoreCaps } from "./content-store.ts";
import { lookAt } from "./file-look.ts";
import type { ProjectTree, TreeFolder } from "./project-tree.ts";
import { MARK } from "./row-table.ts";
import type { Coverage, Uncovered } from "./tracking.ts";

export function createCoverage(tree: ProjectTree, root: string, caps: StoreCaps): Coverage {
  const named = (path: string, why: Uncovered["why"]): Uncovered => ({
    path: isWithin(path, root) ? relative(root, path) : path,
    why,
  });

  const whyRow = (row: number, isForList: boolean): Uncovered["why"] | null => {
    const { rows } = tree;
    if (rows.has(row, MARK.tooLarge)) return "too large";
    if (rows.has(row, MARK.noRoom)) return "no room";
    if (rows.has(row, MARK.unreadable)) return "unreadable";
    const kind = rows.kind(row);
    if (kind === "link") return rows.target(row) === null ? "not text" : null;
    if (kind === "special") return "special";
    // Git brings it back if it is removed. But what it is changed into would be too large to be kept.
    return isForList && kind === "file" && rows.size(row) > caps.fileBytes ? "too large" : null;
  };

  function inFolder(folder: TreeFolder, isForList: boolean, found: Uncovered[]): void {
    if (folder.closed !== null) found.push(named(folder.path, folder.closed));
    for (const [name, why] of folder.uncovered) found.push(named(`${folder.path}/${name}`, why));
    for (const [name, row] of folder.entries) {
      const why = whyRow(row, isForList);
      if (why !== null) found.push(named(`${folder.path}/${name}`, why));
    }
  }

  function firstBelow(folder: TreeFolder): Uncovered | null {
    const found: Uncovered[] = [];
    const waiting = [folder];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      inFolder(next, false, found);
      if (found[0] !== undefined) return found[0];
      for (const [name, row] of next.entries) {
        if (tree.rows.kind(row) !== "folder") continue;
        const inside = tree.folders.get(`${next.path}/${name}`);
        if (inside !== undefined) waiting.push(inside);
      }
    }
    return null;
  }

  function ofOne(path: string): Uncovered | null {
    for (let at = path; at !== "/"; at = dirname(at)) {
      const above = tree.folders.get(dirname(at));
      if (above === undefined) continue;
      if (above.closed === "left out") return named(above.path, above.closed);
      const row = above.entries.get(basename(at));
      const why = row === undefined ? (above.uncovered.get(basename(at)) ?? null) : whyRow(row, false);
      return why === null ? null : named(at, why);
    }
    return named(path, "outside");
  }

  return {
    list() {
      const found: Uncovered[] = [];
      for (const folder of tree.folders.values()) inFolder(folder, true, found);
      return found;
    },
    firstUncovered(path) {
      const folder = tree.folders.get(path);
      if (folder !== undefined) return firstBelow(folder);
      return lookAt(path) === null ? null : ofOne(path);
    },
  };
}
