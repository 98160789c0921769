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
    return isWide ? fits([...wanted], [...given]) : fits(wanted, given);
  };
}

/** After a star, the shortest text that fits is enough, so only the last star is ever tried again. */
function fits(wanted: ArrayLike<string>, given: ArrayLike<string>): boolean {
  let at = 0;
  let star = -1;
  let reach = 0;
  for (let from = 0; from < given.length; ) {
    if (wanted[at] === "*") {
      star = at++;
      reach = from;
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === given[from])) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++reach;
    } else return false;
  }
  return at === wanted.length || (at === wanted.length - 1 && wanted[at] === "*");
}

/**
 * As matchesSteps, if the steps that take any number of items take every item. The way is that of `fits`, which is
 * apart because one function for both takes three times as long.
 */
export function matchesFreely<Item>(steps: readonly PatternStep<Item>[], items: ArrayLike<Item>): boolean {
  let at = 0;
  let star = -1;
  let reach = 0;
  for (let from = 0; from < items.length; ) {
    const step = steps[at];
    if (step?.many === true) {
      star = at++;
      reach = from;
    } else if (step?.takes(items[from] as Item) === true) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++reach;
    } else return false;
  }
  return steps.slice(at).every(({ many }) => many);
}

export function literalStep(wanted: string, ignoresCase = false): PatternStep<string> {
  const folded = wanted.toLowerCase();
  return {
    many: false,
    takes: (character) => character === wanted || (ignoresCase && character.toLowerCase() === folded),
  };
}
