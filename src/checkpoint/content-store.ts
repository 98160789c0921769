// Keeps the bytes of files by their hash, beside the session. Bounded: when it is full, the oldest that nothing needs at
// the moment goes first. It never fails: a disk that is full or forbids writing is a store without room.
import { chmodSync, constants, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ContentId } from "../domain/file-change.ts";
import { nameBytes, nameFile, readSmallFile, withFile } from "./file-bytes.ts";
import { listBlobs, type MachineRoom, removeUnfinished } from "./machine-room.ts";

export interface StoreCaps {
  readonly fileBytes: number;
  readonly sessionBytes: number;
  /** Over all sessions. */
  readonly machineBytes: number;
}

const MEGABYTE = 1024 * 1024;

export const DEFAULT_CAPS: StoreCaps = {
  fileBytes: 8 * MEGABYTE,
  sessionBytes: 256 * MEGABYTE,
  machineBytes: 1024 * MEGABYTE,
};

export interface PutResult {
  /** null if the bytes couldn't be read. */
  readonly content: ContentId | null;
  /** Why they are not kept; null if they are. */
  readonly why: "too large" | "no room" | "unreadable" | null;
}

/** What there is at the beginning must leave room for what changes. */
export const FIRST_SHARE = 0.75;
/** When there is no room, so much is freed at once that it doesn't have to be done for every file. */
const FREED_SHARE = 0.1;

export class ContentStore {
  /** <session>.files/blobs */
  readonly folder: string;
  readonly caps: StoreCaps;
  readonly #machine: MachineRoom | null;
  /** Sizes by digest, one character a byte, because there may be many; what was needed last is last. */
  readonly #kept = new Map<string, number>();
  readonly #holders: (() => Iterable<ContentId>)[] = [];
  readonly #folders = new Set<string>();
  #bytes = 0;
  /** Nothing that is kept can go, as far as was seen the last time. */
  #isStuck = false;
  #isRefused = false;

  private constructor(folder: string, caps: StoreCaps, machine: MachineRoom | null) {
    this.folder = folder;
    this.caps = caps;
    this.#machine = machine;
  }

  /** `machine` null: nobody counts the other sessions. */
  static async open(folder: string, caps: StoreCaps, machine: MachineRoom | null): Promise<ContentStore> {
    const store = new ContentStore(folder, caps, machine);
    removeUnfinished(folder);
    for (const { content, bytes } of await listBlobs(folder)) store.#note(content, bytes);
    return store;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The disk has refused something: it is full, or forbids writing. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  has(content: ContentId): boolean {
    return this.#kept.has(digestOf(content));
  }

  /** None of these goes. */
  hold(contents: () => Iterable<ContentId>): void {
    this.#holders.push(contents);
  }

  /** It was needed until now, so it goes later than what hasn't been for longer. */
  touch(content: ContentId): void {
    const digest = digestOf(content);
    const bytes = this.#kept.get(digest);
    if (bytes === undefined) return;
    this.#kept.delete(digest);
    this.#kept.set(digest, bytes);
    this.#isStuck = false;
  }

  /** Takes a copy of the file as it is now. Of small files use `putBytes`. */
  async putFile(path: string, isFirst = false): Promise<PutResult> {
    const copy = this.#temporary();
    const isCopied = await withFile(path, async (descriptor, { size }) => {
      if (size > this.caps.fileBytes) return "too large";
      if (!(await this.#hasRoom(size, isFirst)) || !this.#makeFolder(this.folder)) return "no room";
      // The open file and not its path, which may lead elsewhere by now. A copy on write takes no time and no room,
      // where the disk can.
      const source = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path;
      const mode = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
      return await copyFile(source, copy, mode).then(
        () => "copied" as const,
        () => this.#refuse(),
      );
    });
    try {
      if (isCopied !== "copied") return { content: null, why: isCopied ?? "unreadable" };
      chmodSync(copy, 0o600);
      const named = await nameFile(copy, "sha256", this.caps.fileBytes);
      if (named === null) return { content: null, why: "too large" };
      return this.#take(copy, named.content, named.look.size);
    } catch {
      return { content: null, why: this.#refuse() };
    } finally {
      discard(copy);
    }
  }

  async putBytes(bytes: Uint8Array, isFirst = false): Promise<PutResult> {
    const content = nameBytes(bytes, "sha256");
    if (this.has(content)) return { content, why: null };
    if (bytes.length > this.caps.fileBytes) return { content, why: "too large" };
    if (!(await this.#hasRoom(bytes.length, isFirst)) || !this.#makeFolder(this.folder))
      return { content, why: "no room" };
    const copy = this.#temporary();
    try {
      writeFileSync(copy, bytes, { flag: "wx", mode: 0o600 });
      return this.#take(copy, content, bytes.length);
    } catch {
      discard(copy);
      return { content, why: this.#refuse() };
    }
  }

  /** null if it is gone, or is no longer what it was. */
  read(content: ContentId): Uint8Array | null {
    const file = readSmallFile(this.#pathOf(content), Number.MAX_SAFE_INTEGER);
    return file.type === "read" && nameBytes(file.bytes, "sha256") === content ? file.bytes : null;
  }

  #refuse(): "no room" {
    this.#isRefused = true;
    return "no room";
  }

  #pathOf(content: ContentId): string {
    const hex = content.slice(content.indexOf(":") + 1);
    return join(this.folder, hex.slice(0, 2), hex.slice(2));
  }

  #temporary(): string {
    return join(this.folder, `new-${crypto.randomUUID()}`);
  }

  #take(copy: string, content: ContentId, size: number): PutResult {
    if (!this.has(content)) {
      const place = this.#pathOf(content);
      this.#makeFolder(dirname(place));
      renameSync(copy, place);
      this.#note(content, size);
    }
    return { content, why: null };
  }

  #note(content: ContentId, bytes: number): void {
    this.#kept.set(digestOf(content), bytes);
    this.#bytes += bytes;
    this.#isStuck = false;
  }

  #makeFolder(path: string): boolean {
    if (this.#folders.has(path)) return true;
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      this.#folders.add(path);
      return true;
    } catch {
      this.#isRefused = true;
      return false;
    }
  }

  async #hasRoom(bytes: number, isFirst: boolean): Promise<boolean> {
    const { sessionBytes } = this.caps;
    const most = isFirst ? sessionBytes * FIRST_SHARE : sessionBytes;
    if (this.#bytes + bytes > most && !isFirst) this.#free(most * (1 - FREED_SHARE) - bytes);
    if (this.#bytes + bytes > most) return false;
    if (this.#machine === null || (await this.#machine.makeRoom(this.#bytes, bytes))) return true;
    this.#free(this.#bytes - Math.max(bytes, sessionBytes * FREED_SHARE));
    return await this.#machine.makeRoom(this.#bytes, bytes);
  }

  #free(most: number): void {
    if (this.#isStuck) return;
    const needed = new Set<string>();
    for (const contents of this.#holders) for (const content of contents()) needed.add(digestOf(content));
    for (const [digest, bytes] of this.#kept) {
      if (this.#bytes <= most) return;
      if (needed.has(digest)) continue;
      rmSync(this.#pathOf(`sha256:${Buffer.from(digest, "latin1").toString("hex")}`), { force: true });
      this.#kept.delete(digest);
      this.#bytes -= bytes;
    }
    this.#isStuck = true;
  }
}

function digestOf(content: ContentId): string {
  return Buffer.from(content.slice(content.indexOf(":") + 1), "hex").toString("latin1");
}

/** What can't be removed goes when the session is opened again. */
function discard(copy: string): void {
  try {
    rmSync(copy, { force: true });
  } catch {}
}
