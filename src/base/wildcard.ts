// Matches a pattern against a whole text in time proportional to both lengths. A regular expression with several
// wildcards may take forever on a name that somebody chose for that.

/** One step of a pattern takes exactly one item, or any number of them. */
export interface PatternStep<Item> {
  readonly many: boolean;
  readonly takes: (item: Item) => boolean;
}

export function matchesSteps<Item>(steps: readonly PatternStep<Item>[], items: readonly Item[]): boolean {
  let reached = withSkips(new Set([0]), steps);
  for (const item of items) {
    const next = new Set<number>();
    for (const index of reached) {
      const step = steps[index];
      if (step?.takes(item) === true) next.add(step.many ? index : index + 1);
    }
    reached = withSkips(next, steps);
    if (reached.size === 0) return false;
  }
  return reached.has(steps.length);
}

/** A step that takes any number of items may take none. */
function withSkips<Item>(reached: Set<number>, steps: readonly PatternStep<Item>[]): Set<number> {
  // Iterating over a Set also visits elements that are added meanwhile.
  for (const index of reached) if (steps[index]?.many === true) reached.add(index + 1);
  return reached;
}

/** Does a whole name match a pattern with `*` and `?`? */
export function createWildcard(pattern: string, ignoresCase: boolean): (name: string) => boolean {
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const wanted = fold(pattern.replace(/\*+/g, "*"));
  return (name) => {
    const given = fold(name);
    // A character beyond 16 bits is one character, too.
    const isWide = /[\ud800-\udfff]/.test(wanted) || /[\ud800-\udfff]/.test(given);
    return isWide ? fits([...wanted], [...given], isStar, fitsOne) : fits(wanted, given, isStar, fitsOne);
  };
}

const isStar = (character: string) => character === "*";
const fitsOne = (wanted: string, given: string) => wanted === "?" || wanted === given;

/** The same as matchesSteps in much less time, if the steps that take any number of items take every item. */
export function matchesFreely<Item>(steps: ArrayLike<PatternStep<Item>>, items: ArrayLike<Item>): boolean {
  return fits(
    steps,
    items,
    ({ many }) => many,
    ({ takes }, item) => takes(item),
  );
}

/** After a star, the shortest text that fits is enough, so only the last star is ever tried again. */
function fits<Step, Item>(
  wanted: ArrayLike<Step>,
  given: ArrayLike<Item>,
  isMany: (step: Step) => boolean,
  takes: (step: Step, item: Item) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let reach = 0;
  for (let from = 0; from < given.length; ) {
    const step = wanted[at];
    if (step !== undefined && isMany(step)) {
      star = at++;
      reach = from;
    } else if (step !== undefined && takes(step, given[from] as Item)) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++reach;
    } else return false;
  }
  for (let step = wanted[at]; step !== undefined && isMany(step); step = wanted[at]) at++;
  return at === wanted.length;
}

export function literalStep(wanted: string, ignoresCase = false): PatternStep<string> {
  const folded = wanted.toLowerCase();
  return {
    many: false,
    takes: (character) => character === wanted || (ignoresCase && character.toLowerCase() === folded),
  };
}
