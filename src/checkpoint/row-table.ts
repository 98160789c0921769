// What is known of many files in little memory: columns of numbers instead of an object for each file.
import type { ContentId } from "../domain/file-change.ts";
import { type ContentForm, formOf } from "./file-bytes.ts";
import type { FileKind, FileLook } from "./file-look.ts";

const KINDS: readonly FileKind[] = ["file", "link", "folder", "special"];
const FORMS: readonly (ContentForm | null)[] = [null, "sha256", "git-sha1", "git-sha256"];
const DIGEST_BYTES = 32;

/** What else is known of a row, a bit each. */
export const MARK = {
  /** It may have changed since without looking different. */
  fresh: 1,
  /** Nobody has been told of it yet. */
  untold: 2,
  tooLarge: 8,
  noRoom: 16,
  unreadable: 32,
} as const;

export class RowTable {
  #kinds = new Uint8Array(0);
  #forms = new Uint8Array(0);
  #marks = new Uint8Array(0);
  #modes = new Uint16Array(0);
  #sizes = new Float64Array(0);
  #modified = new Float64Array(0);
  #changed = new Float64Array(0);
  #inodes = new Float64Array(0);
  #digests = Buffer.alloc(0);
  readonly #targets = new Map<number, string>();
  readonly #free: number[] = [];
  #end = 0;

  /** How many rows there are. */
  get count(): number {
    return this.#end - this.#free.length;
  }

  add(look: FileLook): number {
    const row = this.#free.pop() ?? this.#end++;
    if (row >= this.#kinds.length) this.#grow();
    this.#marks[row] = 0;
    this.setContent(row, null);
    this.setLook(row, look);
    return row;
  }

  remove(row: number): void {
    this.#targets.delete(row);
    this.#marks[row] = 0;
    this.#free.push(row);
  }

  isSame(row: number, look: FileLook): boolean {
    return (
      this.#changed[row] === look.changedMs &&
      this.#modified[row] === look.modifiedMs &&
      this.#sizes[row] === look.size &&
      this.#inodes[row] === look.inode &&
      this.#modes[row] === look.mode &&
      this.kind(row) === look.kind
    );
  }

  setLook(row: number, look: FileLook): void {
    this.#kinds[row] = KINDS.indexOf(look.kind);
    this.#modes[row] = look.mode;
    this.#sizes[row] = look.size;
    this.#modified[row] = look.modifiedMs;
    this.#changed[row] = look.changedMs;
    this.#inodes[row] = look.inode;
  }

  mode(row: number): number {
    return this.#modes[row] ?? 0;
  }

  size(row: number): number {
    return this.#sizes[row] ?? 0;
  }

  kind(row: number): FileKind {
    return KINDS[this.#kinds[row] ?? 0] ?? "special";
  }

  look(row: number): FileLook {
    return {
      kind: this.kind(row),
      size: this.#sizes[row] ?? 0,
      modifiedMs: this.#modified[row] ?? 0,
      changedMs: this.#changed[row] ?? 0,
      inode: this.#inodes[row] ?? 0,
      mode: this.#modes[row] ?? 0,
    };
  }

  setContent(row: number, content: ContentId | null): void {
    const form = content === null ? null : formOf(content);
    this.#forms[row] = FORMS.indexOf(form);
    if (content !== null)
      this.#digests.write(content.slice(content.indexOf(":") + 1), row * DIGEST_BYTES, "hex");
  }

  content(row: number): ContentId | null {
    const form = FORMS[this.#forms[row] ?? 0] ?? null;
    if (form === null) return null;
    const from = row * DIGEST_BYTES;
    const hex = this.#digests.toString("hex", from, from + (form === "git-sha1" ? 20 : DIGEST_BYTES));
    return form === "sha256" ? `sha256:${hex}` : `git:${hex}`;
  }

  target(row: number): string | null {
    return this.#targets.get(row) ?? null;
  }

  setTarget(row: number, target: string | null): void {
    if (target === null) this.#targets.delete(row);
    else this.#targets.set(row, target);
  }

  has(row: number, marks: number): boolean {
    return ((this.#marks[row] ?? 0) & marks) !== 0;
  }

  mark(row: number, marks: number): void {
    this.#marks[row] = (this.#marks[row] ?? 0) | marks;
  }

  unmark(row: number, marks: number): void {
    this.#marks[row] = (this.#marks[row] ?? 0) & ~marks;
  }

  /** By a quarter and not by doubling: the last step would leave almost half of it unused. */
  #grow(): void {
    const length = Math.ceil((this.#kinds.length + 256) * 1.25);
    const grown = <Column extends { set(from: Column): void }>(column: Column, old: Column): Column => {
      column.set(old);
      return column;
    };
    this.#kinds = grown(new Uint8Array(length), this.#kinds);
    this.#forms = grown(new Uint8Array(length), this.#forms);
    this.#marks = grown(new Uint8Array(length), this.#marks);
    this.#modes = grown(new Uint16Array(length), this.#modes);
    this.#sizes = grown(new Float64Array(length), this.#sizes);
    this.#modified = grown(new Float64Array(length), this.#modified);
    this.#changed = grown(new Float64Array(length), this.#changed);
    this.#inodes = grown(new Float64Array(length), this.#inodes);
    this.#digests = grown(Buffer.alloc(length * DIGEST_BYTES), this.#digests);
  }
}
