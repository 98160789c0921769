// The project's files as they were at the last look: for each how it looked, and where its bytes can be found again.
import { basename, dirname, join, relative, resolve } from "node:path";
import { collectWaste } from "../base/collect-waste.ts";
import { isWithin } from "../base/real-path.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import type { ContentId, FileChange } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import type { FileLook } from "./file-look.ts";
import { foresee } from "./file-reader.ts";
import { askRepository, type GitBlob, type GitRepository, indexTime, knownBlobs } from "./git-blobs.ts";
import { repositoryOf } from "./git-command.ts";
import { IndexedFiles } from "./indexed-files.ts";
import { ProjectTree } from "./project-tree.ts";
import { MARK } from "./row-table.ts";
import type { Coverage, ProjectFiles } from "./tracking.ts";
import { createCoverage } from "./uncovered.ts";

/** A row as it is written to disk and read back after a crash. */
export interface SavedRow {
  /** As in a FileChange. */
  readonly path: string;
  readonly look: FileLook;
  readonly content: ContentId | null;
  /** Of a symlink. */
  readonly target: string | null;
  /** It may have changed since without looking different, so it is compared by content at the next look. */
  readonly isFresh: boolean;
}

/** What has to be examined, by row. */
type Sightings = Map<number, { readonly path: string; readonly look: FileLook }>;

/** Whatever changes rows is done one after the other: whoever works with it sees to that. */
export class TreeIndex {
  readonly #project: ProjectFiles;
  readonly #store: ContentStore;
  readonly #tree: ProjectTree;
  readonly #files: IndexedFiles;
  /** The roots whose first look is complete. */
  readonly #built = new Set<string>();
  readonly #repositories = new Map<string, GitRepository>();
  /** When git's index was written, by folder, as of the last time it was read. */
  readonly #indexTimes = new Map<string, number | null>();

  /** `onFolder` is called with each folder's absolute path before it is looked into. */
  constructor(project: ProjectFiles, store: ContentStore, onFolder: (path: string) => void = () => {}) {
    this.#project = project;
    this.#store = store;
    // The folder of all our data: <data>/sessions/<session>.files/blobs.
    this.#tree = new ProjectTree(join(store.folder, "../../.."), onFolder);
    this.#files = new IndexedFiles(project.root, this.#tree, store);
  }

  /** From what an earlier process wrote down; the next `refresh` tells what has changed since. */
  static fromRows(project: ProjectFiles, store: ContentStore, rows: Iterable<SavedRow>): TreeIndex {
    const index = new TreeIndex(project, store);
    for (const root of index.#roots()) if (index.#tree.addRoot(root)) index.#built.add(root);
    for (const row of rows) index.#load(row);
    return index;
  }

  /** The first look at everything, without reading files: git is asked which it has. */
  async build(signal: AbortSignal): Promise<void> {
    await this.#addRoots(signal);
    collectWaste(this.#tree.rows.count);
  }

  /**
   * Puts into the store what is needed from the next write on and not kept yet: after `build` the files that git
   * doesn't have, later those that git had before they changed (their first change costs no room). Returns what turned
   * out to have changed since the last look, which is somebody else's change.
   */
  async keep(signal: AbortSignal): Promise<readonly FileChange[]> {
    const { unkept } = this.#files;
    const count = unkept.size;
    const slices = createTimeSlices(signal);
    for (const [row, path] of unkept) {
      await this.#files.keep(row, path);
      if (slices.due()) await slices.rest();
    }
    collectWaste(count);
    return this.#files.takeChanges();
  }

  /** The same for these absolute paths alone, for a call that names what it writes. */
  async keepPaths(paths: Iterable<string>, signal: AbortSignal): Promise<readonly FileChange[]> {
    for (const path of paths) {
      signal.throwIfAborted();
      const row = this.#tree.find(path);
      if (row !== undefined && this.#files.unkept.has(row)) await this.#files.keep(row, path);
    }
    return this.#files.takeChanges();
  }

  /** True if `keep` has nothing to do. */
  get isKept(): boolean {
    return this.#files.unkept.size === 0;
  }

  /** Looks at everything again. Returns what has changed since the last look. */
  async refresh(signal: AbortSignal): Promise<readonly FileChange[]> {
    await this.#addRoots(signal);
    const sightings: Sightings = new Map();
    await this.#tree.look(this.#visitor(sightings), signal);
    return await this.#examine(sightings, signal);
  }

  /**
   * Looks at exactly these absolute paths again, and at all that is in folders that appeared or vanished there. Where
   * a parent is new, too, it begins with the topmost new one.
   */
  async refreshPaths(paths: Iterable<string>, signal: AbortSignal): Promise<readonly FileChange[]> {
    const sightings: Sightings = new Map();
    await this.#tree.lookAt(paths, this.#visitor(sightings), signal);
    return await this.#examine(sightings, signal);
  }

  /** What was found by a look that was broken off. */
  takeChanges(): readonly FileChange[] {
    return this.#files.takeChanges();
  }

  /** By path as in a FileChange; undefined if nothing is there. */
  rowOf(path: string): SavedRow | undefined {
    const row = this.#tree.find(resolve(this.#project.root, path));
    return row === undefined ? undefined : this.#saved(path, row);
  }

  /** All rows, folders before what is in them. */
  *rows(): Iterable<SavedRow> {
    for (const { path, entries } of this.#tree.folders.values())
      for (const [name, row] of entries) yield this.#saved(this.#files.nameOf(`${path}/${name}`), row);
  }

  coverage(): Coverage {
    return createCoverage(this.#tree, this.#project.root, this.#store.caps);
  }

  /** For a coverage without a run: tells what `keep` would not be able to keep, without reading anything. */
  async foresee(signal: AbortSignal): Promise<void> {
    const slices = createTimeSlices(signal);
    let bytes = this.#store.bytes;
    for (const [row, path] of this.#files.unkept) {
      if (slices.due()) await slices.rest();
      const size = this.#tree.rows.size(row);
      const why = foresee(path, size, bytes, this.#store.caps);
      if (why === null) bytes += size;
      // What git has is covered all the same.
      else if (this.#tree.rows.content(row) === null) this.#files.setContent(row, null, why);
    }
  }

  #saved(path: string, row: number): SavedRow {
    const { rows } = this.#tree;
    const isFresh = rows.has(row, MARK.fresh);
    return { path, look: rows.look(row), content: rows.content(row), target: rows.target(row), isFresh };
  }

  #load({ path, look, content, target, isFresh }: SavedRow): void {
    const { rows, folders } = this.#tree;
    const place = resolve(this.#project.root, path);
    const above = folders.get(dirname(place));
    if (above === undefined) return;
    const row = rows.add(look);
    above.entries.set(basename(place), row);
    if (look.kind === "folder") this.#tree.addFolder(place);
    rows.setContent(row, content);
    rows.setTarget(row, target);
    if (isFresh) rows.mark(row, MARK.fresh);
  }

  #roots(): readonly string[] {
    return [this.#project.root, ...this.#project.addedFolders()];
  }

  async #addRoots(signal: AbortSignal): Promise<void> {
    for (const root of this.#roots()) {
      if (this.#built.has(root)) continue;
      if (this.#tree.hasRoot(root) || this.#tree.addRoot(root)) {
        const seen = (path: string, row: number, look: FileLook) => this.#files.addFirst(path, row, look);
        const gone = (path: string, row: number) => this.#files.forget(path, row);
        await this.#tree.look({ seen, gone }, signal, root);
        await this.#addBlobs(root, signal);
        // What was there for a moment, before an earlier attempt was broken off, is no change.
        this.#files.takeChanges();
      }
      this.#built.add(root);
    }
  }

  async #addBlobs(root: string, signal: AbortSignal): Promise<void> {
    const repositories = [root];
    for (const { path, uncovered } of this.#tree.folders.values())
      if (uncovered.has(".git") && path !== root && isWithin(path, root)) repositories.push(path);
    for (const folder of repositories)
      for await (const blob of this.#gitBlobs(folder, null, (path) => this.#files.lookOf(path), signal))
        this.#files.addBlob(`${folder}/${blob.path}`, blob, folder === root);
  }

  async *#gitBlobs(
    folder: string,
    only: readonly string[] | null,
    lookAt: (path: string) => FileLook | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<GitBlob> {
    if (repositoryOf(folder) === null) return;
    try {
      const repository = this.#repositories.get(folder) ?? (await askRepository(folder, signal));
      this.#repositories.set(folder, repository);
      const time = indexTime(repository);
      if (only !== null && time === this.#indexTimes.get(folder)) return;
      this.#indexTimes.set(folder, time);
      yield* knownBlobs(repository, (path) => lookAt(`${folder}/${path}`), only, signal);
    } catch {
      // A repository that git can't read is a folder of files like any other.
      signal.throwIfAborted();
    }
  }

  #visitor(sightings: Sightings) {
    return {
      seen: (path: string, row: number, look: FileLook) => void sightings.set(row, { path, look }),
      gone: (path: string, row: number) => {
        sightings.delete(row);
        this.#files.forget(path, row);
      },
    };
  }

  async #examine(sightings: Sightings, signal: AbortSignal): Promise<readonly FileChange[]> {
    const blobs = await this.#newBlobs(sightings, signal);
    const slices = createTimeSlices(signal);
    for (const [row, { path, look }] of sightings) {
      if (slices.due()) await slices.rest();
      await this.#files.examine(row, path, look, blobs.get(path));
    }
    collectWaste(sightings.size);
    return this.#files.takeChanges();
  }

  /** Where git's index is newer than what is known of it, files may be git's again. */
  async #newBlobs(sightings: Sightings, signal: AbortSignal): Promise<ReadonlyMap<string, GitBlob>> {
    const found = new Map<string, GitBlob>();
    const files = new Map<string, FileLook>();
    for (const { path, look } of sightings.values()) if (look.kind === "file") files.set(path, look);
    for (const root of this.#roots()) {
      const paths = [...files.keys()].filter((path) => isWithin(path, root));
      const names = paths.map((path) => relative(root, path));
      if (names.length === 0) continue;
      for await (const blob of this.#gitBlobs(root, names, (path) => files.get(path), signal))
        if (blob.isCommitted) found.set(`${root}/${blob.path}`, blob);
    }
    return found;
  }
}
