// The answer to "does it only read, and what?"

export type ReadOnlyAnswer =
  | { readonly harmless: true; readonly uses: readonly PathUse[] }
  | { readonly harmless: false; readonly why: string };

export interface PathUse {
  /** As written; relative to wherever the command runs. */
  readonly path: string;
  /**
   * `names`: only names and dates are shown. `tree`: everything below it is read, hidden files too. `visible`:
   * everything but hidden and ignored files.
   */
  readonly extent: "file" | "names" | "tree" | "visible";
  /** A tree is read only where a file's name fits one of these. */
  readonly include?: readonly string[];
}

export function mayDoMore(why: string): ReadOnlyAnswer {
  return { harmless: false, why };
}
