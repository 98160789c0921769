// The project's files as they were at the last look: for each how it looked, and where its bytes can be found again.
import { readlinkSync } from "node:fs";
import { ABSENT, type ContentId, type FileChange, type FileImage } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import { knownBlobs } from "./git-blobs.ts";
import { type FileLook, isSameLook, lookAt, type WalkedTree, walkTree } from "./tree-walk.ts";

interface Row extends FileLook {
  /** Of a file whose bytes are kept. */
  readonly content: ContentId | null;
  /** Of a symlink. */
  readonly target: string | null;
  /** It had changed so shortly before the look that a later change may look the same. */
  readonly isFresh: boolean;
}

/** The clocks of file systems tick in steps of a few milliseconds, some in whole seconds or two. */
const FRESH_MS = 50;

export class TreeIndex {
  readonly #root: string;
  readonly #store: ContentStore;
  #rows = new Map<string, Row>();
  #leftOut: readonly string[] = [];

  private constructor(root: string, store: ContentStore) {
    this.#root = root;
    this.#store = store;
  }

  /** The first look: git's own files are known without reading them. */
  static async build(root: string, store: ContentStore, signal: AbortSignal): Promise<TreeIndex> {
    const index = new TreeIndex(root, store);
    const tree = await walkTree(root, signal);
    const blobs = await index.#gitBlobs(tree, signal);
    index.#leftOut = tree.leftOut;
    for (const [path, look] of tree.looks) {
      const blob = blobs.get(path);
      index.#rows.set(path, blob === undefined ? await index.#rowOf(path, look) : rowOfBlob(look, blob));
    }
    return index;
  }

  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** The next step needs these bytes to be there. */
  *contents(): Iterable<ContentId> {
    for (const { content } of this.#rows.values()) if (content !== null) yield content;
  }

  imageOf(path: string): FileImage {
    const row = this.#rows.get(path);
    return row === undefined ? ABSENT : imageOfRow(row);
  }

  /** Looks at everything again, and keeps what is new. Returns what has changed since the last look. */
  async refresh(signal: AbortSignal): Promise<readonly FileChange[]> {
    const tree = await walkTree(this.#root, signal);
    const changes: FileChange[] = [];
    const rows = new Map<string, Row>();
    for (const [path, look] of tree.looks) {
      const known = this.#rows.get(path);
      if (known !== undefined && isSameLook(known, look) && !known.isFresh) {
        rows.set(path, known);
        continue;
      }
      const row = await this.#rowOf(path, look);
      rows.set(path, row);
      const before = known === undefined ? ABSENT : imageOfRow(known);
      const after = imageOfRow(row);
      if (!isUnchanged(before, after)) changes.push({ path, before, after });
    }
    for (const [path, known] of this.#rows)
      if (!tree.looks.has(path)) changes.push({ path, before: imageOfRow(known), after: ABSENT });
    this.#rows = rows;
    this.#leftOut = tree.leftOut;
    return changes;
  }

  async #gitBlobs(tree: WalkedTree, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const folder of tree.repositories) {
      const within = (path: string) => (folder === "" ? path : `${folder}/${path}`);
      const place = folder === "" ? this.#root : `${this.#root}/${folder}`;
      // A repository that git can't read is a folder of files like any other.
      const blobs = await knownBlobs(place, (path) => tree.looks.get(within(path)), signal).catch(() => null);
      for (const [path, blob] of blobs ?? []) found.set(within(path), blob);
    }
    return found;
  }

  async #rowOf(path: string, look: FileLook): Promise<Row> {
    const isFresh = Date.now() - look.changedMs < FRESH_MS;
    const place = `${this.#root}/${path}`;
    if (look.kind === "link") return { ...look, content: null, target: targetOf(place), isFresh };
    if (look.kind !== "file") return { ...look, content: null, target: null, isFresh: false };
    // A file that nobody may read, or that is gone meanwhile, can't be kept.
    const kept = await this.#store.put(place).catch(() => null);
    const after = lookAt(place);
    const hasChanged = after === null || !isSameLook(look, after);
    return { ...look, content: kept?.content ?? null, target: null, isFresh: isFresh || hasChanged };
  }
}

function rowOfBlob(look: FileLook, blob: string): Row {
  return { ...look, content: `git:${blob}`, target: null, isFresh: false };
}

function imageOfRow({ kind, content, mode, size, target }: Row): FileImage {
  switch (kind) {
    case "file":
      return { type: "file", content, mode, size };
    case "link":
      return { type: "link", target: target ?? "" };
    case "folder":
      return { type: "folder", mode };
    case "special":
      return { type: "special" };
  }
}

/** Unlike two images that are compared before a restore, two files whose bytes are unknown count as the same here. */
function isUnchanged(before: FileImage, after: FileImage): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
