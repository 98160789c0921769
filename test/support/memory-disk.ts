// A disk in memory that logs every operation, can fail at any of them, and can be copied in any state that a crash at
// any point of the log might leave.
import { dirname } from "node:path";
import type { Disk, DiskFile, FileFacts } from "../../src/session/disk.ts";

export type DiskOperation =
  | { readonly type: "create"; readonly path: string; readonly inode: number }
  | { readonly type: "truncate"; readonly inode: number }
  | { readonly type: "write"; readonly inode: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly type: "sync"; readonly inode: number }
  | { readonly type: "rename"; readonly path: string; readonly to: string; readonly inode: number }
  | { readonly type: "link" | "mark"; readonly path: string; readonly inode: number }
  | { readonly type: "remove"; readonly path: string }
  | { readonly type: "sync-folder"; readonly path: string };

/** Called before every operation that changes something. An error code makes it fail, a number makes a short write. */
export type Fault = (operation: DiskOperation, count: number) => string | number | undefined;

export class MemoryDisk implements Disk {
  readonly log: DiskOperation[] = [];
  fault: Fault = () => undefined;
  readonly #names = new Map<string, number>();
  readonly #contents = new Map<number, Buffer>();
  readonly #room = new Map<number, Buffer>();
  readonly #synced = new Map<number, number>();
  readonly #modified = new Map<number, number>();
  readonly #folders = new Set<string>(["/"]);
  #nextInode = 1;
  #clock = Date.now();

  /** Adds an existing file without logging it. */
  put(path: string, bytes: Buffer): void {
    const inode = this.#nextInode++;
    this.#names.set(path, inode);
    this.#contents.set(inode, bytes);
    this.#modified.set(inode, this.#clock++);
  }

  bytes(path: string): Buffer | undefined {
    const inode = this.#names.get(path);
    return inode === undefined ? undefined : this.#contents.get(inode);
  }

  paths(): string[] {
    return [...this.#names.keys()].sort();
  }

  open: Disk["open"] = async (path, how) => {
    const known = this.#names.get(path);
    if (known !== undefined && how === "new") throw diskError("EEXIST", path);
    if (known === undefined && !this.#folders.has(dirname(path))) throw diskError("ENOENT", path);
    const inode = known ?? this.#nextInode++;
    if (known === undefined) {
      this.#begin({ type: "create", path, inode });
      this.#names.set(path, inode);
      this.#set(inode, Buffer.alloc(0));
    } else if (how === "replace") {
      this.#begin({ type: "truncate", inode });
      this.#set(inode, Buffer.alloc(0));
    }
    return this.#file(inode);
  };

  read: Disk["read"] = async (path, from = 0) => Buffer.from(this.#content(this.#inode(path)).subarray(from));

  stat: Disk["stat"] = async (path) => this.#facts(this.#inode(path));

  list: Disk["list"] = async (folder) => {
    if (!this.#folders.has(folder)) throw diskError("ENOENT", folder);
    return this.paths()
      .filter((path) => dirname(path) === folder)
      .map((path) => path.slice(folder.length + 1));
  };

  makeFolder: Disk["makeFolder"] = async (folder) => {
    const isNew = !this.#folders.has(folder);
    for (let made = folder; made !== "/"; made = dirname(made)) this.#folders.add(made);
    return isNew ? "made" : "was there";
  };

  restrict: Disk["restrict"] = async () => {};

  syncFolder: Disk["syncFolder"] = async (path) => void this.#begin({ type: "sync-folder", path });

  rename: Disk["rename"] = async (path, to) => {
    const inode = this.#inode(path);
    this.#begin({ type: "rename", path, to, inode });
    this.#names.delete(path);
    this.#names.set(to, inode);
  };

  link: Disk["link"] = async (existing, path) => {
    const inode = this.#inode(existing);
    this.#begin({ type: "link", path, inode });
    this.#names.set(path, inode);
  };

  makeMark: Disk["makeMark"] = async (path, text) => {
    if (this.#names.has(path)) throw diskError("EEXIST", path);
    const inode = this.#nextInode++;
    this.#begin({ type: "mark", path, inode });
    this.#names.set(path, inode);
    this.#set(inode, Buffer.from(text));
  };

  readMark: Disk["readMark"] = async (path) => {
    const inode = this.#inode(path);
    return { text: String(this.#content(inode)), modifiedMs: this.#modified.get(inode) ?? 0 };
  };

  remove: Disk["remove"] = async (path) => {
    for (const name of this.paths().filter((name) => name === path || name.startsWith(`${path}/`))) {
      this.#begin({ type: "remove", path: name });
      this.#names.delete(name);
    }
    for (const folder of this.#folders)
      if (folder === path || folder.startsWith(`${path}/`)) this.#folders.delete(folder);
  };

  removeFolder: Disk["removeFolder"] = async (folder) => {
    if (this.paths().some((path) => dirname(path) === folder)) throw diskError("ENOTEMPTY", folder);
    this.#folders.delete(folder);
  };

  touchMark: Disk["touchMark"] = async (path) => void this.#modified.set(this.#inode(path), this.#clock++);

  #file(inode: number): DiskFile {
    return {
      write: async (bytes) => {
        const before = this.#content(inode);
        const operation = { type: "write", inode, offset: before.length, bytes: Buffer.from(bytes) } as const;
        const cut = this.#begin(operation);
        const taken = bytes.subarray(0, cut ?? bytes.length);
        this.#append(inode, taken);
        if (taken.length === 0 && bytes.length > 0) throw diskError("ENOSPC", String(inode));
        return taken.length;
      },
      sync: async () => this.#sync(inode),
      facts: async () => this.#facts(inode),
      close: async () => {},
    };
  }

  /** After a failed fsync, unsynced data can't be relied on, because the kernel may drop it. */
  #sync(inode: number): void {
    try {
      this.#begin({ type: "sync", inode });
      this.#synced.set(inode, this.#content(inode).length);
    } catch (error) {
      this.#content(inode).fill(0, this.#synced.get(inode) ?? 0);
      throw error;
    }
  }

  /** How many bytes a short write accepts. */
  #begin(operation: DiskOperation): number | undefined {
    const fault = this.fault(operation, this.log.length);
    if (typeof fault === "string") throw diskError(fault, operation.type);
    this.log.push(operation);
    return fault;
  }

  #inode(path: string): number {
    const inode = this.#names.get(path);
    if (inode === undefined) throw diskError("ENOENT", path);
    return inode;
  }

  #content(inode: number): Buffer {
    return this.#contents.get(inode) ?? Buffer.alloc(0);
  }

  /** Appends to a buffer that doubles when it is full, because a long journal is many small writes. */
  #append(inode: number, bytes: Uint8Array): void {
    const before = this.#content(inode);
    const size = before.length + bytes.length;
    const room = this.#room.get(inode);
    const fits = room !== undefined && room.length >= size && room.buffer === before.buffer;
    const grown = fits ? room : Buffer.alloc(2 * size);
    if (!fits) before.copy(grown);
    grown.set(bytes, before.length);
    this.#room.set(inode, grown);
    this.#set(inode, grown.subarray(0, size));
  }

  #set(inode: number, bytes: Buffer): void {
    this.#contents.set(inode, bytes);
    this.#modified.set(inode, this.#clock++);
  }

  #facts(inode: number): FileFacts {
    return { inode, size: this.#content(inode).length, modifiedMs: this.#modified.get(inode) ?? 0 };
  }
}

export function diskError(code: string, about: string): Error {
  return Object.assign(new Error(`${code}: injected, ${about}`), { code });
}
