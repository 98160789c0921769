// What an edit asks for, and what is to be done about it.

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** Bytes `start` to `end` of the file's body become `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: Buffer;
}

export type MatchKind = "exact" | "line-trimmed" | "indentation";

export type EditPlan =
  /** In order, not overlapping, at least one. */
  | { readonly type: "splices"; readonly match: MatchKind; readonly splices: readonly Splice[] }
  /** Where each place begins; `isAll` false: there are more. */
  | { readonly type: "ambiguous"; readonly starts: readonly number[]; readonly isAll: boolean }
  | { readonly type: "miss" };

/** The body after the splices, in pieces: what isn't edited is the very same memory. */
export function applySplices(body: Buffer, splices: readonly Splice[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of splices) {
    pieces.push(body.subarray(from, start), text);
    from = end;
  }
  pieces.push(body.subarray(from));
  return pieces;
}
