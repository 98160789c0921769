// An edit as the model asks for it, and the plan to carry it out.
import type { TimeSlices } from "../base/time-slices.ts";

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
  /** At least one splice, sorted, without overlaps. */
  | { readonly type: "splices"; readonly match: MatchKind; readonly splices: readonly Splice[] }
  /** Where each place begins. `isAll` is false if there are more. */
  | { readonly type: "ambiguous"; readonly starts: readonly number[]; readonly isAll: boolean }
  | { readonly type: "miss" };

/** Adjacent smaller pieces are joined, so that a hundred thousand places don't need as many writes. */
const SMALL_BYTES = 64 * 1024;
const JOINED_BYTES = 1024 * 1024;

/** The body after the splices, in pieces. Long unedited stretches are not copied. */
export async function applySplices(
  body: Buffer,
  splices: readonly Splice[],
  slices: TimeSlices,
): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let small: Buffer[] = [];
  let smallBytes = 0;
  let from = 0;
  for (const { start, end, text } of splices) {
    add(body.subarray(from, start));
    add(text);
    from = end;
    if (slices.due()) await slices.rest();
  }
  add(body.subarray(from));
  join();
  return pieces;

  function add(piece: Buffer): void {
    if (piece.length > SMALL_BYTES) {
      join();
      pieces.push(piece);
      return;
    }
    small.push(piece);
    smallBytes += piece.length;
    if (smallBytes >= JOINED_BYTES) join();
  }

  function join(): void {
    if (smallBytes > 0) pieces.push(Buffer.concat(small, smallBytes));
    small = [];
    smallBytes = 0;
  }
}
