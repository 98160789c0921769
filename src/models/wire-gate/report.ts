// Where a check is in the body, and what it finds there. The path is written only when something is found: the usual
// body is sound, and has tens of thousands of places.

export interface BodyReport {
  /** place: from where the check is, as in .content or .source.data. */
  readonly here: (place: string, problem: string) => void;
  /** place: from the body's own fields on, wherever the check is. */
  readonly there: (place: string, problem: string) => void;
  /** What follows is about an entry of a list, until it is left. */
  readonly enter: (list: string, index: number) => void;
  readonly leave: () => void;
}

export function createReport(found: (violation: string) => void): BodyReport {
  const lists: string[] = [];
  const indices: number[] = [];
  let depth = 0;
  const there = (place: string, problem: string) => found(`${place}: ${problem}`);
  const path = () =>
    lists
      .slice(0, depth)
      .map((list, at) => `${list}[${indices[at]}]`)
      .join("");
  return {
    there,
    here: (place, problem) => there(path() + place, problem),
    enter: (list, index) => {
      lists[depth] = list;
      indices[depth] = index;
      depth++;
    },
    leave: () => {
      depth--;
    },
  };
}
