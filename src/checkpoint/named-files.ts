// What a call that names its files does to them, told without the index: the first look at a large project takes a while,
// and an edit needs no more than its own files. The index also leaves folders out that an edit may be about.
import { readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { isWithin, linksOnDisk, NOT_UTF8, realPath } from "../base/real-path.ts";
import { ABSENT, type FileChange, type FileImage } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import { lookAt } from "./file-look.ts";
import { readContent } from "./file-reader.ts";
import { realPlaces } from "./interrupted-call.ts";
import { isVersionControl } from "./left-out.ts";
import { isSameImage } from "./restore-plan.ts";
import type { ProjectFiles, TrackedCall } from "./tracking.ts";

export class NamedFiles {
  readonly #root: string;
  readonly #store: ContentStore;
  /** By path as in a FileChange. */
  readonly #before: ReadonlyMap<string, FileImage>;

  private constructor(root: string, store: ContentStore, before: ReadonlyMap<string, FileImage>) {
    this.#root = root;
    this.#store = store;
    this.#before = before;
  }

  /**
   * null if it doesn't name them, or if one of them is not covered or can't be looked at. `isKnown`: somebody else
   * tells what happens to this absolute path.
   */
  static async look(
    { writes }: TrackedCall,
    { root, addedFolders }: ProjectFiles,
    store: ContentStore,
    isKnown: (path: string) => boolean = () => false,
  ): Promise<NamedFiles | null> {
    if (writes === null) return null;
    try {
      const roots = [root, ...addedFolders()];
      const before = new Map<string, FileImage>();
      for (const path of realPlaces(writes)) {
        const home = roots.find((each) => isWithin(path, each));
        if (home === undefined || relative(home, path).split("/").some(isVersionControl)) return null;
        // What a symlink leads to is among these, too, under its own name.
        if (isKnown(path) || realPath(dirname(path), linksOnDisk) !== dirname(path)) continue;
        for (const each of [path, ...missingAbove(path, home)])
          before.set(isWithin(each, root) ? relative(root, each) : each, await imageAt(each, store));
      }
      return new NamedFiles(root, store, before);
    } catch {
      return null;
    }
  }

  has(path: string): boolean {
    return this.#before.has(path);
  }

  async changes(): Promise<readonly FileChange[]> {
    const changes: FileChange[] = [];
    for (const [path, before] of this.#before) {
      const after = await imageAt(isAbsolute(path) ? path : join(this.#root, path), this.#store);
      if (!isSameImage(before, after)) changes.push({ path, before, after });
    }
    return changes;
  }
}

/** The folders that have to be made for it. */
function missingAbove(path: string, root: string): readonly string[] {
  const folder = dirname(path);
  return folder === root || lookAt(folder) !== null ? [] : [folder, ...missingAbove(folder, root)];
}

async function imageAt(path: string, store: ContentStore): Promise<FileImage> {
  const look = lookAt(path);
  switch (look?.kind) {
    case undefined:
      return ABSENT;
    case "file": {
      const { content, look: read } = await readContent(path, [], "now", store);
      const { mode, size } = read ?? look;
      return { type: "file", content, mode, size };
    }
    case "folder":
      return { type: "folder", mode: look.mode };
    case "link": {
      const target = readlinkSync(path);
      return target.includes(NOT_UTF8) ? { type: "special" } : { type: "link", target };
    }
    case "special":
      return { type: "special" };
  }
}
