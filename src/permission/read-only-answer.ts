// The answer to whether a command only reads, and which paths.

export type ReadOnlyAnswer =
  | {
      readonly harmless: true;
      readonly uses: readonly PathUse[];
      /** It is harmless if it is run like this. */
      readonly guarded?: GuardedWords;
    }
  /** `readsUnknown` means that it isn't known which files it reads, or what of a history. */
  | {
      readonly harmless: false;
      readonly why: string;
      readonly readsUnknown?: "files" | "history";
      readonly uses?: readonly PathUse[];
    };

/** A command with the options and variables that switch off what a project's files would make it do. */
export interface GuardedWords {
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

export interface PathUse {
  /** As written, relative to the folder the command runs in. */
  readonly path: string;
  /**
   * `names`: only names and dates are shown. `tree`: everything below it is read, including hidden files. `visible`:
   * everything below it is read except hidden and ignored files.
   */
  readonly extent: "file" | "names" | "tree" | "visible";
  /** Symlinks below it are followed. */
  readonly follows?: true;
  /** Only files with a matching name are read. With `visible`, matching hidden and ignored files are read, too. */
  readonly include?: readonly string[];
}

export function mayDoMore(why: string): ReadOnlyAnswer {
  return { harmless: false, why };
}
