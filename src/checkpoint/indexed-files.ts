// What the index knows of each file beyond its look: its bytes, whether they are kept, and what has changed.
import { readlinkSync } from "node:fs";
import { relative } from "node:path";
import { isWithin, NOT_UTF8 } from "../base/real-path.ts";
import { ABSENT, type ContentId, type FileChange, type FileImage } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import { type FileLook, isFreshAt, lookAt } from "./file-look.ts";
import { type Keeping, readContent } from "./file-reader.ts";
import type { GitBlob } from "./git-blobs.ts";
import type { ProjectTree } from "./project-tree.ts";
import { MARK } from "./row-table.ts";
import type { Uncovered } from "./tracking.ts";

export class IndexedFiles {
  readonly #root: string;
  readonly #tree: ProjectTree;
  readonly #store: ContentStore;
  /** Rows whose bytes have to be kept before the next write, with their absolute paths. */
  readonly unkept = new Map<number, string>();
  /** Blobs that rows may be, if they have the same hash: git couldn't vouch for the file, or it has changed since. */
  readonly #likely = new Map<number, ContentId>();
  /** What was found and not yet handed out, by path; it outlives an abort. */
  readonly #found = new Map<string, FileChange>();

  constructor(root: string, tree: ProjectTree, store: ContentStore) {
    this.#root = root;
    this.#tree = tree;
    this.#store = store;
    store.hold(() => this.#contents());
  }

  /** What was there at the first look is nobody's change. */
  addFirst(path: string, row: number, look: FileLook): void {
    this.#see(row, look, Date.now());
    this.#tree.rows.unmark(row, MARK.untold);
    if (look.kind === "link") this.#readTarget(row, path);
    if (look.kind === "file") this.unkept.set(row, path);
  }

  /** `isOwn`: of the repository that the project belongs to, and not of one that is part of the project. */
  addBlob(path: string, { content, isCertain, isCommitted }: GitBlob, isOwn: boolean): void {
    const row = this.#tree.find(path);
    if (row === undefined) return;
    const isSafe = isOwn && isCommitted;
    if (isSafe && !isCertain) this.#likely.set(row, content);
    if (!isCertain) return;
    this.#tree.rows.setContent(row, content);
    this.unkept.delete(row);
    // A repository within the project may be removed together with its files, and what is only staged may be lost, so
    // these are kept as well, last.
    if (!isSafe) this.unkept.set(row, path);
  }

  lookOf(path: string): FileLook | undefined {
    const row = this.#tree.find(path);
    return row === undefined ? undefined : this.#tree.rows.look(row);
  }

  /** `look` is what was seen now; `blob` is what git's newer index says of it. */
  async examine(row: number, path: string, look: FileLook, blob: GitBlob | undefined): Promise<void> {
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
    const isTouched =
      now.modifiedMs !== old.modifiedMs ||
      now.inode !== old.inode ||
      now.size !== old.size ||
      now.mode !== old.mode;
    // Bytes that nobody knew before have changed if the file looks like it.
    if (isUnknown(before) ? isTouched : !isSame(before, after)) this.#tell(path, before, after);
  }

  /** The row is about to be removed. */
  forget(path: string, row: number): void {
    const { rows } = this.#tree;
    if (!rows.has(row, MARK.untold)) this.#tell(path, this.#image(row), ABSENT);
    const content = rows.content(row);
    if (content !== null) this.#store.touch(content);
    this.unkept.delete(row);
    this.#likely.delete(row);
  }

  async keep(row: number, path: string): Promise<void> {
    const { rows } = this.#tree;
    const [before, old] = [this.#image(row), rows.content(row)];
    this.unkept.delete(row);
    const isGits = isOfGit(old);
    const keeping = old === null || isGits ? "first" : "now";
    await this.#read(row, path, isGits ? [] : [this.#likely.get(row)], keeping);
    // Git has it still, if there is no room for a copy.
    if (isGits && rows.has(row, MARK.noRoom | MARK.tooLarge)) this.setContent(row, old, null);
    const after = this.#image(row);
    if (old !== null && !isGits && !isSame(before, after)) this.#tell(path, before, after);
  }

  setContent(row: number, content: ContentId | null, why: Uncovered["why"] | null): void {
    const { rows } = this.#tree;
    const old = rows.content(row);
    if (old !== null && old !== content) this.#store.touch(old);
    rows.setContent(row, content);
    rows.unmark(row, MARK.tooLarge | MARK.noRoom | MARK.unreadable);
    if (why === "too large") rows.mark(row, MARK.tooLarge);
    if (why === "no room") rows.mark(row, MARK.noRoom);
    if (why === "unreadable") rows.mark(row, MARK.unreadable);
  }

  /** One for each path. */
  takeChanges(): readonly FileChange[] {
    const found = [...this.#found.values()];
    this.#found.clear();
    return found;
  }

  /** False if it is gone meanwhile, which the next look will tell. */
  async #examineFile(row: number, path: string, look: FileLook, blob: GitBlob | undefined): Promise<boolean> {
    const { rows } = this.#tree;
    const old = rows.content(row);
    const isGits = isOfGit(old);
    // What was put off and is read a second time, because it had changed so shortly before, is put off again.
    const isPutOff = isGits || (old !== null && this.unkept.has(row));
    this.unkept.delete(row);
    if (blob?.isCertain === true && (old === null || look.size !== rows.size(row))) {
      this.#see(row, look, Date.now());
      this.setContent(row, blob.content, null);
      return true;
    }
    // A file that is changed back is git's again.
    if (isGits && old !== null) this.#likely.set(row, old);
    const likely = [old, blob?.content, this.#likely.get(row)];
    const isRead = await this.#read(row, path, likely, isPutOff ? "later" : "now");
    if (isRead && isPutOff && !isOfGit(rows.content(row))) this.unkept.set(row, path);
    return isRead;
  }

  async #read(
    row: number,
    path: string,
    likely: readonly (ContentId | null | undefined)[],
    keeping: Keeping,
  ): Promise<boolean> {
    const seenMs = Date.now();
    const known = likely.filter((content) => content !== null && content !== undefined);
    const { content, why, look } = await readContent(path, known, keeping, this.#store);
    const now = look ?? lookAt(path);
    if (now?.kind !== "file") return false;
    this.#see(row, now, seenMs);
    this.setContent(row, content, why);
    // It may only have changed while it was read, so it is tried again.
    if (why === "unreadable") this.#tree.rows.mark(row, MARK.fresh);
    if (isOfGit(content)) this.#likely.delete(row);
    return true;
  }

  #see(row: number, look: FileLook, seenMs: number): void {
    const { rows } = this.#tree;
    rows.setLook(row, look);
    if (isFreshAt(look, seenMs)) rows.mark(row, MARK.fresh);
    else rows.unmark(row, MARK.fresh);
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
    const target = rows.target(row);
    switch (rows.kind(row)) {
      case "file":
        return { type: "file", content: rows.content(row), mode: rows.mode(row), size: rows.size(row) };
      case "folder":
        return { type: "folder", mode: rows.mode(row) };
      case "link":
        // Where a link leads can't be said if that is no text.
        return target === null ? { type: "special" } : { type: "link", target };
      case "special":
        return { type: "special" };
    }
  }

  #tell(path: string, before: FileImage, after: FileImage): void {
    const name = this.nameOf(path);
    // A folder that became a file is first seen to be gone.
    const first = this.#found.get(name)?.before;
    if (first !== undefined && isSame(first, after) && !isUnknown(after)) this.#found.delete(name);
    else this.#found.set(name, { path: name, before: first ?? before, after });
  }

  /** As in a FileChange. */
  nameOf(path: string): string {
    return isWithin(path, this.#root) ? relative(this.#root, path) : path;
  }

  *#contents(): Iterable<ContentId> {
    for (const { entries } of this.#tree.folders.values())
      for (const row of entries.values()) {
        const content = this.#tree.rows.content(row);
        if (content !== null && !isOfGit(content)) yield content;
      }
  }
}

function isOfGit(content: ContentId | null): boolean {
  return content?.startsWith("git:") === true;
}

function isUnknown(image: FileImage): boolean {
  return image.type === "file" && image.content === null;
}

function isSame(one: FileImage, other: FileImage): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
