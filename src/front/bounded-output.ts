// Output of a person's own command, of which the end is kept: it says most, and more would crowd out the conversation.

/** Stands before output whose beginning was left out: how much is missing nobody knows. */
export const CUT = "…";
const MAX_OUTPUT = 30_000;

export function lastOf(output: string): string {
  return output.length <= MAX_OUTPUT ? output : CUT + output.slice(-MAX_OUTPUT);
}
