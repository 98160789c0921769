// The project's files as they were at the last look: for each how it looked, and where its bytes can be found again.
import { readlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { collectWaste } from "../base/collect-waste.ts";
import { isWithin, NOT_UTF8 } from "../base/real-path.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import { ABSENT, type ContentId, type FileChange, type FileImage } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import { type FileLook, isFreshAt, lookAt } from "./file-look.ts";
import { foresee, type Keeping, readContent } from "./file-reader.ts";
import { type GitBlob, indexTime, knownBlobs } from "./git-blobs.ts";
import { repositoryOf } from "./git-command.ts";
import { ProjectTree } from "./project-tree.ts";
import { MARK } from "./row-table.ts";
import type { Coverage, ProjectFiles, Uncovered } from "./tracking.ts";
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

interface Sighting {
  readonly path: string;
  readonly look: FileLook;
}

type Sightings = Map<number, Sighting>;

export class TreeIndex {
  readonly #project: ProjectFiles;
  readonly #store: ContentStore;
  readonly #tree: ProjectTree;
  /** Rows whose bytes have to be kept before the next write, with their paths. */
  readonly #unkept = new Map<number, string>();
  /** Blobs that rows may be, if they have the same hash: of files that git couldn't vouch for, or that have changed. */
  readonly #likely = new Map<number, ContentId>();
  /** When git's index was written, by root, as of the last time it was read. */
  readonly #indexTimes = new Map<string, number | null>();
  /** What was found and not yet handed out; it outlives an abort. */
  #found: FileChange[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** `onFolder` is called with each folder's absolute path before it is looked into. */
  constructor(project: ProjectFiles, store: ContentStore, onFolder: (path: string) => void = () => {}) {
    this.#project = project;
    this.#store = store;
    // The folder of all our data: <data>/sessions/<session>.files/blobs.
    this.#tree = new ProjectTree(join(store.folder, "../../.."), onFolder);
    store.whatIsNeeded(() => this.#neededContents());
  }

  /** From what an earlier process wrote down; the next `refresh` tells what has changed since. */
  static fromRows(project: ProjectFiles, store: ContentStore, rows: Iterable<SavedRow>): TreeIndex {
    const index = new TreeIndex(project, store);
    for (const root of [project.root, ...project.addedFolders()]) index.#tree.addRoot(root);
    for (const row of rows) index.#load(row);
    return index;
  }

  /** The first look at everything, without reading files: git is asked which it has. */
  async build(signal: AbortSignal): Promise<void> {
    await this.#alone(async () => await this.#addRoots(signal));
    collectWaste(this.#tree.rows.count);
  }

  /**
   * Puts into the store what is needed from the next write on and not kept yet: after `build` the files that git
   * doesn't have, later those that git had before they changed (their first change costs no room). Returns what turned
   * out to have changed since the last look, which is somebody else's change.
   */
  async keep(signal: AbortSignal): Promise<readonly FileChange[]> {
    const slices = createTimeSlices(signal);
    // Others get their turn between two steps.
    while (this.#unkept.size > 0)
      await this.#alone(async () => {
        await slices.rest();
        for (const [row, path] of this.#unkept) {
          await this.#keepRow(row, path);
          if (slices.due()) return;
        }
      });
    return this.#take();
  }

  /** The same for these absolute paths alone, for a call that names what it writes. */
  async keepPaths(paths: Iterable<string>, signal: AbortSignal): Promise<readonly FileChange[]> {
    return await this.#alone(async () => {
      for (const path of paths) {
        signal.throwIfAborted();
        const row = this.#tree.find(path);
        if (row !== undefined && this.#unkept.has(row)) await this.#keepRow(row, path);
      }
      return this.#take();
    });
  }

  /** True if `keep` has nothing to do. */
  get isKept(): boolean {
    return this.#unkept.size === 0;
  }

  /** Looks at everything again. Returns what has changed since the last look. */
  async refresh(signal: AbortSignal): Promise<readonly FileChange[]> {
    return await this.#alone(async () => {
      await this.#addRoots(signal);
      const sightings: Sightings = new Map();
      await this.#tree.look(this.#visitor(sightings), signal);
      await this.#examine(sightings, signal);
      return this.#take();
    });
  }

  /**
   * Looks at exactly these absolute paths again, and at all that is in folders that appeared or vanished there. Where
   * a parent is new, too, it begins with the topmost new one.
   */
  async refreshPaths(paths: Iterable<string>, signal: AbortSignal): Promise<readonly FileChange[]> {
    return await this.#alone(async () => {
      const sightings: Sightings = new Map();
      await this.#tree.lookAt(paths, this.#visitor(sightings), signal);
      await this.#examine(sightings, signal);
      return this.#take();
    });
  }

  /** By path as in a FileChange. */
  imageOf(path: string): FileImage {
    const row = this.#tree.find(resolve(this.#project.root, path));
    return row === undefined ? ABSENT : this.#image(row);
  }

  /** By path as in a FileChange; undefined if nothing is there. */
  rowOf(path: string): SavedRow | undefined {
    const row = this.#tree.find(resolve(this.#project.root, path));
    return row === undefined ? undefined : this.#saved(path, row);
  }

  *rows(): Iterable<SavedRow> {
    for (const folder of this.#tree.folders.values())
      for (const [name, row] of folder.entries)
        yield this.#saved(this.#nameOf(`${folder.path}/${name}`), row);
  }

  /** The absolute paths of all folders that are looked at, the roots too: what has to be watched. */
  folders(): Iterable<string> {
    return this.#tree.folders.keys();
  }

  coverage(): Coverage {
    return createCoverage(this.#tree, this.#project.root, this.#store.caps);
  }

  /** For a coverage without a session: tells what `keep` would not be able to keep, without reading anything. */
  async foresee(signal: AbortSignal): Promise<void> {
    const slices = createTimeSlices(signal);
    let bytes = this.#store.bytes;
    for (const [row, path] of this.#unkept) {
      if (slices.due()) await slices.rest();
      const size = this.#tree.rows.look(row).size;
      const why = foresee(path, size, bytes, this.#store);
      if (why === null) bytes += size;
      // What git has is covered all the same.
      else if (this.#tree.rows.content(row) === null) this.#setContent(row, null, why);
    }
  }

  async #addRoots(signal: AbortSignal): Promise<void> {
    for (const root of [this.#project.root, ...this.#project.addedFolders()]) {
      if (this.#tree.hasRoot(root) || !this.#tree.addRoot(root)) continue;
      const seen = (path: string, row: number, look: FileLook) => this.#addFirst(path, row, look);
      await this.#tree.look({ seen, gone: (_, row) => this.#forget(row) }, signal, root);
      await this.#takeFromGit(root, signal);
    }
  }

  /** What was there at the first look is nobody's change. */
  #addFirst(path: string, row: number, look: FileLook): void {
    const { rows } = this.#tree;
    rows.unmark(row, MARK.untold);
    if (isFreshAt(look, Date.now())) rows.mark(row, MARK.fresh);
    if (look.kind === "link") this.#readTarget(row, path);
    if (look.kind === "file") this.#unkept.set(row, path);
  }

  async #takeFromGit(root: string, signal: AbortSignal): Promise<void> {
    const repositories = [...this.#tree.folders.values()].filter(
      ({ path, uncovered }) => path !== root && isWithin(path, root) && uncovered.has(".git"),
    );
    for (const folder of [root, ...repositories.map(({ path }) => path)]) {
      const blobs = await this.#gitBlobs(folder, null, (path) => this.#lookOf(path), signal);
      for (const [path, { content, isCertain }] of blobs) {
        const place = `${folder}/${path}`;
        const row = this.#tree.find(place);
        if (row === undefined) continue;
        const isOwn = folder === root;
        // A repository within the project may be removed together with its files, so these are kept as well, last.
        if (isOwn && !isCertain) this.#likely.set(row, content);
        if (isCertain) this.#tree.rows.setContent(row, content);
        if (isCertain) this.#unkept.delete(row);
        if (isCertain && !isOwn) this.#unkept.set(row, place);
      }
    }
  }

  async #gitBlobs(
    folder: string,
    only: readonly string[] | null,
    lookAt: (path: string) => FileLook | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, GitBlob>> {
    if (repositoryOf(folder) === null) return new Map();
    try {
      this.#indexTimes.set(folder, await indexTime(folder, signal));
      return await knownBlobs(folder, (path) => lookAt(`${folder}/${path}`), only, signal);
    } catch {
      signal.throwIfAborted();
      // A repository that git can't read is a folder of files like any other.
      return new Map();
    }
  }

  #visitor(sightings: Sightings) {
    return {
      seen: (path: string, row: number, look: FileLook) => void sightings.set(row, { path, look }),
      gone: (path: string, row: number) => {
        sightings.delete(row);
        if (!this.#tree.rows.has(row, MARK.untold)) this.#tell(path, this.#image(row), ABSENT);
        this.#forget(row);
      },
    };
  }

  async #examine(sightings: Sightings, signal: AbortSignal): Promise<void> {
    const blobs = await this.#newBlobs(sightings, signal);
    const slices = createTimeSlices(signal);
    for (const [row, sighting] of sightings) {
      if (slices.due()) await slices.rest();
      await this.#examineRow(row, sighting, blobs.get(sighting.path));
    }
    collectWaste(sightings.size);
  }

  /** Where git's index is newer than what is known of it, files may be git's again. */
  async #newBlobs(sightings: Sightings, signal: AbortSignal): Promise<ReadonlyMap<string, GitBlob>> {
    const found = new Map<string, GitBlob>();
    const files = new Map<string, FileLook>();
    for (const { path, look } of sightings.values()) if (look.kind === "file") files.set(path, look);
    for (const root of [this.#project.root, ...this.#project.addedFolders()]) {
      const paths = [...files.keys()]
        .filter((path) => isWithin(path, root))
        .map((path) => relative(root, path));
      if (paths.length === 0 || !(await this.#isIndexNew(root, signal))) continue;
      const blobs = await this.#gitBlobs(root, paths, (path) => files.get(path), signal);
      for (const [path, blob] of blobs) found.set(`${root}/${path}`, blob);
    }
    return found;
  }

  async #isIndexNew(root: string, signal: AbortSignal): Promise<boolean> {
    if (repositoryOf(root) === null) return false;
    const time = await indexTime(root, signal).catch(() => null);
    return time !== null && time !== this.#indexTimes.get(root);
  }

  async #examineRow(row: number, { path, look }: Sighting, blob: GitBlob | undefined): Promise<void> {
    const { rows } = this.#tree;
    const before = rows.has(row, MARK.untold) ? ABSENT : this.#image(row);
    const old = rows.look(row);
    if (look.kind === "file") {
      if (!(await this.#examineFile(row, path, look, blob))) return;
    } else {
      this.#see(row, look, Date.now());
      if (look.kind === "link") this.#readTarget(row, path);
    }
    rows.unmark(row, MARK.untold);
    const [now, after] = [rows.look(row), this.#image(row)];
    const isTouched = now.modifiedMs !== old.modifiedMs || now.inode !== old.inode;
    if (!isSame(before, after) || (isUnknown(after) && isTouched)) this.#tell(path, before, after);
  }

  /** False if it is gone meanwhile, which the next look will tell. */
  async #examineFile(row: number, path: string, look: FileLook, blob: GitBlob | undefined): Promise<boolean> {
    const { rows } = this.#tree;
    const old = rows.content(row);
    const isOfGit = old?.startsWith("git:") === true;
    if (blob?.isCertain === true && (old === null || look.size !== rows.look(row).size)) {
      this.#see(row, look, Date.now());
      this.#setContent(row, blob.content, null);
      this.#unkept.delete(row);
      return true;
    }
    // A file that is changed back is git's again.
    if (isOfGit) this.#likely.set(row, old);
    const likely = [old, blob?.content, this.#likely.get(row)];
    const isRead = await this.#read(row, path, likely, isOfGit ? "later" : "now");
    if (isRead && isOfGit && rows.content(row)?.startsWith("sha256:") === true) this.#unkept.set(row, path);
    return isRead;
  }

  async #keepRow(row: number, path: string): Promise<void> {
    const { rows } = this.#tree;
    const [before, old] = [this.#image(row), rows.content(row)];
    this.#unkept.delete(row);
    const isOfGit = old?.startsWith("git:") === true;
    const likely = isOfGit ? [] : [this.#likely.get(row)];
    await this.#read(row, path, likely, old === null || isOfGit ? "first" : "now");
    // Git has it still, if there is no room for a copy.
    if (isOfGit && rows.has(row, MARK.noRoom)) this.#setContent(row, old, null);
    const after = this.#image(row);
    if (old !== null && !isOfGit && !isSame(before, after)) this.#tell(path, before, after);
  }

  async #read(
    row: number,
    path: string,
    likely: readonly (ContentId | null | undefined)[],
    keeping: Keeping,
  ): Promise<boolean> {
    const seenMs = Date.now();
    const known = likely.filter((content) => content !== null && content !== undefined);
    const { content, why, ...reading } = await readContent(path, known, keeping, this.#store);
    const look = reading.look ?? lookAt(path);
    if (look?.kind !== "file") return false;
    this.#see(row, look, seenMs);
    this.#setContent(row, content, why);
    return true;
  }

  #see(row: number, look: FileLook, seenMs: number): void {
    const { rows } = this.#tree;
    rows.setLook(row, look);
    if (isFreshAt(look, seenMs)) rows.mark(row, MARK.fresh);
    else rows.unmark(row, MARK.fresh);
  }

  #setContent(row: number, content: ContentId | null, why: Uncovered["why"] | null): void {
    const { rows } = this.#tree;
    const old = rows.content(row);
    if (old !== null && old !== content) this.#store.touch(old);
    rows.setContent(row, content);
    rows.unmark(row, MARK.tooLarge | MARK.noRoom | MARK.unreadable);
    if (why === "too large") rows.mark(row, MARK.tooLarge);
    if (why === "no room") rows.mark(row, MARK.noRoom);
    if (why === "unreadable") rows.mark(row, MARK.unreadable);
  }

  #readTarget(row: number, path: string): void {
    try {
      const target = readlinkSync(path);
      this.#tree.rows.setTarget(row, target.includes(NOT_UTF8) ? null : target);
    } catch {
      // No link any more, which the next look will tell.
    }
  }

  #image(row: number): FileImage {
    const { rows } = this.#tree;
    const { kind, mode, size } = rows.look(row);
    const target = rows.target(row);
    if (kind === "file") return { type: "file", content: rows.content(row), mode, size };
    if (kind === "folder") return { type: "folder", mode };
    // Where a link leads can't be said if that is no text.
    return kind === "link" && target !== null ? { type: "link", target } : { type: "special" };
  }

  #tell(path: string, before: FileImage, after: FileImage): void {
    this.#found.push({ path: this.#nameOf(path), before, after });
  }

  #take(): readonly FileChange[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #lookOf(path: string): FileLook | undefined {
    const row = this.#tree.find(path);
    return row === undefined ? undefined : this.#tree.rows.look(row);
  }

  #forget(row: number): void {
    const content = this.#tree.rows.content(row);
    if (content !== null) this.#store.touch(content);
    this.#unkept.delete(row);
    this.#likely.delete(row);
  }

  #nameOf(path: string): string {
    return isWithin(path, this.#project.root) ? relative(this.#project.root, path) : path;
  }

  #saved(path: string, row: number): SavedRow {
    const { rows } = this.#tree;
    const isFresh = rows.has(row, MARK.fresh);
    return { path, look: rows.look(row), content: rows.content(row), target: rows.target(row), isFresh };
  }

  #load({ path, look, content, target, isFresh }: SavedRow): void {
    const place = resolve(this.#project.root, path);
    const above = this.#tree.folders.get(dirname(place));
    if (above === undefined) return;
    const row = this.#tree.rows.add(look);
    above.entries.set(basename(place), row);
    if (look.kind === "folder") this.#tree.addFolder(place);
    this.#tree.rows.setContent(row, content);
    this.#tree.rows.setTarget(row, target);
    if (isFresh) this.#tree.rows.mark(row, MARK.fresh);
  }

  *#neededContents(): Iterable<ContentId> {
    for (const { entries } of this.#tree.folders.values())
      for (const row of entries.values()) {
        const content = this.#tree.rows.content(row);
        if (content?.startsWith("sha256:") === true) yield content;
      }
  }

  /** One at a time: two that change rows would not see each other's. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => {});
    return await run;
  }
}

function isUnknown(image: FileImage): boolean {
  return image.type === "file" && image.content === null;
}

/** Unlike two images that are compared before a restore, two files whose bytes are unknown count as the same here. */
function isSame(one: FileImage, other: FileImage): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
