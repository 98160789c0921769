// The answer to "does it only read, and what?"

export type ReadOnlyAnswer =
  | { readonly harmless: true; readonly uses: readonly PathUse[] }
  /** `readsUnknown`: it would only read, but nobody knows which files. */
  | { readonly harmless: false; readonly why: string; readonly readsUnknown?: true };

export interface PathUse {
  /** As written; relative to wherever the command runs. */
  readonly path: string;
  /**
   * `names`: only names and dates are shown. `tree`: everything below it is read, hidden files too. `visible`:
   * everything but hidden and ignored files.
   */
  readonly extent: "file" | "names" | "tree" | "visible";
  /** Only files are read whose name fits one of these; of what is visible, hidden and ignored ones that fit, too. */
  readonly include?: readonly string[];
}

export function mayDoMore(why: string): ReadOnlyAnswer {
  return { harmless: false, why };
}
