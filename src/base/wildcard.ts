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

/** The characters of a name with `*` and `?`. */
export function wildcardSteps(name: string, ignoresCase: boolean): PatternStep<string>[] {
  return [...name].map((wanted) => {
    if (wanted === "*" || wanted === "?") return { many: wanted === "*", takes: () => true };
    return literalStep(wanted, ignoresCase);
  });
}

export function literalStep(wanted: string, ignoresCase = false): PatternStep<string> {
  const folded = wanted.toLowerCase();
  return {
    many: false,
    takes: (character) => character === wanted || (ignoresCase && character.toLowerCase() === folded),
  };
}
