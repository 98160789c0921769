// What was at a path at some moment, as far as it takes to put it back.

export type FileImage =
  | { readonly type: "absent" }
  /** content null: the bytes are not kept, so this can't be put back. */
  | {
      readonly type: "file";
      readonly content: ContentId | null;
      readonly mode: number;
      readonly size: number;
    }
  | { readonly type: "link"; readonly target: string }
  /** It matters only if it is empty: a folder with files comes back with them. */
  | { readonly type: "folder"; readonly mode: number }
  /** A socket, a FIFO or a device, which nobody can put back. */
  | { readonly type: "special" };

/** Names bytes: `sha256:HEX` are in our own store, `git:HEX` in the repository that the file belongs to. */
export type ContentId = `sha256:${string}` | `git:${string}`;

export interface FileChange {
  /** Relative to the project's root. */
  readonly path: string;
  readonly before: FileImage;
  readonly after: FileImage;
}

export const ABSENT: FileImage = { type: "absent" };
