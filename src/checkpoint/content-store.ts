// Keeps the bytes of files by their hash, beside the session. Bounded: when it is full, the oldest that nothing needs at
// the moment goes first.
import { constants, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { copyFile, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { newHasher } from "../base/runtime.ts";
import type { ContentId } from "../domain/file-change.ts";

export interface StoreCaps {
  readonly fileBytes: number;
  readonly sessionBytes: number;
}

export const DEFAULT_CAPS: StoreCaps = { fileBytes: 8 * 1024 * 1024, sessionBytes: 256 * 1024 * 1024 };

interface Kept {
  readonly bytes: number;
}

export interface PutResult {
  readonly content: ContentId;
  readonly size: number;
}

export class ContentStore {
  readonly #folder: string;
  readonly #caps: StoreCaps;
  /** What the state before the next call is made of, which must not go. */
  readonly #isNeeded: (content: ContentId) => boolean;
  /** In the order in which they came. */
  readonly #kept = new Map<ContentId, Kept>();
  #bytes = 0;

  constructor(folder: string, caps: StoreCaps, isNeeded: (content: ContentId) => boolean) {
    this.#folder = folder;
    this.#caps = caps;
    this.#isNeeded = isNeeded;
    for (const { content, bytes } of keptIn(folder)) this.#note(content, bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(content: ContentId): boolean {
    return this.#kept.has(content);
  }

  pathOf(content: ContentId): string {
    const hex = content.slice(content.indexOf(":") + 1);
    return join(this.#folder, hex.slice(0, 2), hex.slice(2));
  }

  /** Takes a copy of the file as it is now; null if it is too large, or there is no room. */
  async put(path: string): Promise<PutResult | null> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const copy = join(this.#folder, crypto.randomUUID());
    try {
      // A copy on write takes no time and no room, where the disk can.
      await copyFile(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      const { content, size } = await hashFile(copy, this.#caps.fileBytes);
      if (content === null) return null;
      if (this.#kept.has(content)) return { content, size };
      if (!this.#makeRoom(size)) return null;
      const place = this.pathOf(content);
      mkdirSync(join(place, ".."), { recursive: true, mode: 0o700 });
      await rename(copy, place);
      this.#note(content, size);
      return { content, size };
    } finally {
      await rm(copy, { force: true });
    }
  }

  #note(content: ContentId, bytes: number): void {
    this.#kept.set(content, { bytes });
    this.#bytes += bytes;
  }

  #makeRoom(bytes: number): boolean {
    for (const [content, kept] of this.#kept) {
      if (this.#bytes + bytes <= this.#caps.sessionBytes) break;
      if (this.#isNeeded(content)) continue;
      rmSync(this.pathOf(content), { force: true });
      this.#kept.delete(content);
      this.#bytes -= kept.bytes;
    }
    return this.#bytes + bytes <= this.#caps.sessionBytes;
  }
}

/** content null: it is larger than `most`. */
export async function hashFile(
  path: string,
  most: number,
): Promise<{ readonly content: ContentId | null; readonly size: number }> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > most) return { content: null, size };
    const hasher = newHasher();
    let read = 0;
    const buffer = new Uint8Array(Math.min(size + 1, 1024 * 1024));
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      read += bytesRead;
      if (read > most) return { content: null, size: read };
      hasher.update(buffer.subarray(0, bytesRead));
    }
    return { content: `sha256:${hasher.digest("hex")}`, size: read };
  } finally {
    await file.close();
  }
}

/** Of an earlier run of this session, oldest first. */
function keptIn(folder: string): readonly { readonly content: ContentId; readonly bytes: number }[] {
  const found: { content: ContentId; bytes: number; madeMs: number }[] = [];
  for (const start of names(folder).filter((name) => name.length === 2))
    for (const rest of names(join(folder, start))) {
      const stat = statSync(join(folder, start, rest), { throwIfNoEntry: false });
      if (stat?.isFile())
        found.push({ content: `sha256:${start}${rest}`, bytes: stat.size, madeMs: stat.ctimeMs });
    }
  return found.sort((one, other) => one.madeMs - other.madeMs);
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
