// The folders of a project and what is in them, brought up to date in place and in short steps. Symlinks are not
// followed. A folder that looks unchanged has the same names in it, so it isn't listed again.

import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import { isWithin, NOT_UTF8 } from "../base/real-path.ts";
import { createTimeSlices, type TimeSlices } from "../base/time-slices.ts";
import { type FileLook, isFreshAt, isSameLook, lookAt, lookOf } from "./file-look.ts";
import { CACHE_MARK, isLeftOut, KERNELS_FOLDERS } from "./left-out.ts";
import { MARK, RowTable } from "./row-table.ts";
import type { Uncovered } from "./tracking.ts";

export interface TreeFolder {
  /** Absolute. */
  readonly path: string;
  /** Rows by name. */
  readonly entries: Map<string, number>;
  /** What is in it and has no row. */
  readonly uncovered: Map<string, Uncovered["why"]>;
  /** Nothing in it has a row, or not everything. */
  closed: Uncovered["why"] | null;
  /** How it looked when it was listed; null: it has to be listed. */
  listed: FileLook | null;
}

export interface TreeVisitor {
  /** New (the row is marked as untold), or looks different, or might have changed without looking different. */
  readonly seen: (path: string, row: number, look: FileLook) => void;
  /** The row is removed after this. */
  readonly gone: (path: string, row: number) => void;
}

/** A home folder can hold millions of files. What is nearer to the root comes first. */
const MAX_ROWS = 300_000;

export class ProjectTree {
  readonly rows = new RowTable();
  /** By absolute path, parents before what is in them. */
  readonly folders = new Map<string, TreeFolder>();
  readonly #roots = new Set<string>();
  /** Our own data, which changes all the time. */
  readonly #ownFolder: string;
  readonly #onFolder: (path: string) => void;

  /** `onFolder` is called before the names in a folder are read. */
  constructor(ownFolder: string, onFolder: (path: string) => void) {
    this.#ownFolder = ownFolder;
    this.#onFolder = onFolder;
  }

  hasRoot(path: string): boolean {
    return this.#roots.has(path);
  }

  /** False if another one covers it. */
  addRoot(path: string): boolean {
    const isCovered = [...this.#roots].some(
      (root) => isWithin(path, root) && !this.#isBelowLeftOut(path, root),
    );
    if (isCovered) return false;
    this.#roots.add(path);
    this.addFolder(path);
    return true;
  }

  addFolder(path: string): TreeFolder {
    const folder: TreeFolder = { path, entries: new Map(), uncovered: new Map(), closed: null, listed: null };
    this.folders.set(path, folder);
    return folder;
  }

  find(path: string): number | undefined {
    return this.folders.get(dirname(path))?.entries.get(basename(path));
  }

  /** Looks at everything in the roots, or in one. */
  async look(visitor: TreeVisitor, signal: AbortSignal, only?: string): Promise<void> {
    const roots = only === undefined ? [...this.#roots] : [only];
    const slices = createTimeSlices(signal);
    await this.#lookInto(
      roots.flatMap((root) => this.folders.get(root) ?? []),
      visitor,
      slices,
    );
  }

  /** Looks at these absolute paths, and into folders that appeared there. */
  async lookAt(paths: Iterable<string>, visitor: TreeVisitor, signal: AbortSignal): Promise<void> {
    const slices = createTimeSlices(signal);
    for (const path of paths) {
      if (slices.due()) await slices.rest();
      const [above, name] = this.#placeToLook(path);
      const folder = this.folders.get(above);
      if (folder === undefined || name === "" || folder.closed === "left out") continue;
      const found = this.#lookAtEntry(folder, name, visitor);
      const next = found === "gone" ? await this.#replace(folder, name, visitor, slices) : found;
      // It may be another folder with the same name, and even with the same inode.
      if (next !== null) await this.#lookInto([next], visitor, slices);
    }
  }

  /**
   * Where a parent is new, too, the topmost new folder is looked at with all that is in it; and where one is no longer
   * a folder, that, because a symlink in its place may lead out of the project.
   */
  #placeToLook(path: string): readonly [string, string] {
    let [above, name] = [dirname(path), basename(path)];
    for (let at = above; at !== "/" && !this.#roots.has(at); at = dirname(at))
      if (!this.folders.has(at) || lookAt(at)?.kind !== "folder") [above, name] = [dirname(at), basename(at)];
    return [above, name];
  }

  /** Level by level, so that a project that is too large is covered near its root. */
  async #lookInto(first: readonly TreeFolder[], visitor: TreeVisitor, slices: TimeSlices): Promise<void> {
    const waiting = [...first];
    for (let at = 0; at < waiting.length; at++) {
      const folder = waiting[at];
      if (folder === undefined || folder.closed === "left out") continue;
      this.#onFolder(folder.path);
      const names = this.#namesToLookAt(folder);
      const { listed } = folder;
      // If this is broken off, new names that were not looked at yet have to be listed again.
      folder.listed = null;
      for (const name of names) {
        if (slices.due()) await slices.rest();
        const found = this.#lookAtEntry(folder, name, visitor);
        const next = found === "gone" ? await this.#replace(folder, name, visitor, slices) : found;
        if (next !== null) waiting.push(next);
      }
      folder.listed = listed;
    }
  }

  /** Those that have a row and those that are new. */
  #namesToLookAt(folder: TreeFolder): Iterable<string> {
    const seenMs = Date.now();
    const look = lookOnDisk(folder.path);
    if (look === null || look === "hidden") return [...folder.entries.keys()];
    if (folder.listed !== null && isSameLook(folder.listed, look)) return folder.entries.keys();
    const names = list(folder.path);
    if (names === null) {
      folder.closed = "unreadable";
      return [...folder.entries.keys()];
    }
    const isNew = folder.listed === null && folder.entries.size === 0 && !this.#roots.has(folder.path);
    folder.listed = isFreshAt(look, seenMs) ? null : look;
    folder.closed = isNew && names.includes(CACHE_MARK) ? "left out" : null;
    folder.uncovered.clear();
    if (folder.closed !== null) return [];
    const there = new Set(names);
    return [...names, ...[...folder.entries.keys()].filter((name) => !there.has(name))];
  }

  /** Returns a folder that may have to be looked into, or "gone": what the row was about is no longer there. */
  #lookAtEntry(folder: TreeFolder, name: string, visitor: TreeVisitor): TreeFolder | "gone" | null {
    const path = placeIn(folder, name);
    const isText = !name.includes(NOT_UTF8);
    const look = isText ? lookOnDisk(path) : "hidden";
    const row = folder.entries.get(name);
    if (look === "hidden") {
      // A row stays: nobody can say that anything has changed.
      if (row === undefined) folder.uncovered.set(name, isText ? "unreadable" : "not text");
      return null;
    }
    if (row !== undefined)
      return look?.kind === this.rows.kind(row) ? this.#compare(path, row, look, visitor) : "gone";
    folder.uncovered.delete(name);
    return look === null ? null : this.#add(folder, name, path, look, visitor);
  }

  #compare(path: string, row: number, look: FileLook, visitor: TreeVisitor): TreeFolder | null {
    const isFolder = look.kind === "folder";
    const isSame = isFolder ? this.rows.mode(row) === look.mode : this.rows.isSame(row, look);
    if (!isSame || this.rows.has(row, MARK.untold | MARK.fresh)) visitor.seen(path, row, look);
    return isFolder ? (this.folders.get(path) ?? null) : null;
  }

  #add(
    folder: TreeFolder,
    name: string,
    path: string,
    look: FileLook,
    visitor: TreeVisitor,
  ): TreeFolder | null {
    if (this.#roots.has(path)) return null;
    const isOutside = path === this.#ownFolder || KERNELS_FOLDERS.has(path);
    if (name === ".git" || isOutside || (look.kind === "folder" && isLeftOut(name))) {
      folder.uncovered.set(name, "left out");
      return null;
    }
    if (this.rows.count >= MAX_ROWS) {
      folder.closed = "no room";
      return null;
    }
    const row = this.rows.add(look);
    this.rows.mark(row, MARK.untold);
    folder.entries.set(name, row);
    visitor.seen(path, row, look);
    return look.kind === "folder" ? this.addFolder(path) : null;
  }

  /** There may be something else by that name now. */
  async #replace(
    folder: TreeFolder,
    name: string,
    visitor: TreeVisitor,
    slices: TimeSlices,
  ): Promise<TreeFolder | null> {
    await this.#remove(folder, name, visitor, slices);
    const found = this.#lookAtEntry(folder, name, visitor);
    return found === "gone" ? null : found;
  }

  /** What is in a folder goes before it. */
  async #remove(folder: TreeFolder, name: string, visitor: TreeVisitor, slices: TimeSlices): Promise<void> {
    const path = placeIn(folder, name);
    const row = folder.entries.get(name);
    if (row === undefined) return;
    const inside = this.folders.get(path);
    for (const inner of inside?.entries.keys() ?? [])
      await this.#remove(inside ?? folder, inner, visitor, slices);
    if (slices.due()) await slices.rest();
    visitor.gone(path, row);
    this.folders.delete(path);
    folder.entries.delete(name);
    this.rows.remove(row);
  }

  #isBelowLeftOut(path: string, root: string): boolean {
    return path.slice(root.length).split("/").some(isLeftOut);
  }
}

function placeIn({ path }: TreeFolder, name: string): string {
  return path === "/" ? `/${name}` : `${path}/${name}`;
}

/** "hidden": nobody may look. null: nothing is there. */
function lookOnDisk(path: string): FileLook | "hidden" | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? null : lookOf(stat);
  } catch (error) {
    return failureCode(error) === "ENOTDIR" ? null : "hidden";
  }
}

/** null if it can't be read. One that is gone meanwhile is empty. */
function list(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder);
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(failureCode(error)) ? [] : null;
  }
}
