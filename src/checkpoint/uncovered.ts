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

  function* inFolder(folder: TreeFolder): Generator<Uncovered> {
    if (folder.closed !== null) yield named(folder.path, folder.closed);
    for (const [name, why] of folder.uncovered) yield named(`${folder.path}/${name}`, why);
    for (const [name, row] of folder.entries) {
      const why = whyNot(tree, row);
      if (why !== null) yield named(`${folder.path}/${name}`, why);
    }
  }

  function* below(folder: TreeFolder): Generator<Uncovered> {
    yield* inFolder(folder);
    for (const [name, row] of folder.entries) {
      const inside =
        tree.rows.kind(row) === "folder" ? tree.folders.get(`${folder.path}/${name}`) : undefined;
      if (inside !== undefined) yield* below(inside);
    }
  }

  return {
    list() {
      const found: Uncovered[] = [];
      for (const folder of tree.folders.values()) {
        found.push(...inFolder(folder));
        // Git brings it back if it is removed; but what it is changed into is too large to be kept.
        for (const [name, row] of folder.entries)
          if (whyNot(tree, row) === null && tree.rows.look(row).size > caps.fileBytes)
            found.push(named(`${folder.path}/${name}`, "too large"));
      }
      return found;
    },
    firstUncovered(path) {
      const folder = tree.folders.get(path);
      if (folder !== undefined) return below(folder).next().value ?? null;
      if (lookAt(path) === null) return null;
      for (let at = path; at !== "/"; at = dirname(at)) {
        const above = tree.folders.get(dirname(at));
        if (above === undefined) continue;
        if (above.closed === "left out") return named(above.path, above.closed);
        const name = basename(at);
        const row = above.entries.get(name);
        const why = row === undefined ? above.uncovered.get(name) : whyNot(tree, row);
        return why === undefined || why === null ? null : named(at, why);
      }
      return named(path, "outside");
    },
  };
}

function whyNot({ rows }: ProjectTree, row: number): Uncovered["why"] | null {
  if (rows.has(row, MARK.tooLarge)) return "too large";
  if (rows.has(row, MARK.noRoom)) return "no room";
  if (rows.has(row, MARK.unreadable)) return "unreadable";
  if (rows.kind(row) === "link" && rows.target(row) === null) return "not text";
  return rows.kind(row) === "special" ? "special" : null;
}
