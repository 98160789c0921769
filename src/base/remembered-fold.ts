// A fold over a list that usually only grows, such as a history: asked again, it goes on where it ended. What it has
// seen it knows by identity, element for element, and a list that begins in any other way is folded from its
// beginning; so the memory can't be told from the outside, as long as elements are never changed in place.

export interface Fold<Item, State> {
  readonly start: () => State;
  /** May change the state it is given, and returns it. */
  readonly step: (state: State, item: Item, at: number) => State;
}

interface Remembered<Item, State> {
  /** A copy of the list, because lists do change in place. */
  readonly seen: Item[];
  readonly state: State;
}

/** The state that comes back is the fold's own: it is read at once, and neither kept nor changed. */
export function rememberedFold<Item extends object, State>(
  fold: Fold<Item, State>,
): (items: readonly Item[]) => Readonly<State> {
  // One memory a conversation, which is known by its first element and forgotten with it: several at once don't
  // disturb each other, and nobody has to own or clear anything.
  const memory = new WeakMap<Item, Remembered<Item, State>>();
  return (items) => {
    const first = items[0];
    if (first === undefined) return fold.start();
    const known = memory.get(first);
    const goesOn = known !== undefined && beginsWith(items, known.seen);
    if (goesOn && known.seen.length === items.length) return known.state;
    // A step that throws leaves a state that is worth nothing.
    memory.delete(first);
    const added = items.slice(goesOn ? known.seen.length : 0);
    const state = goesOn
      ? foldFrom(known.state, added, known.seen.length, fold)
      : foldFrom(fold.start(), added, 0, fold);
    if (goesOn) for (const item of added) known.seen.push(item);
    memory.set(first, { seen: goesOn ? known.seen : added, state });
    return state;
  };
}

/** The same without a memory. */
export function foldAll<Item, State>(items: readonly Item[], fold: Fold<Item, State>): State {
  return foldFrom(fold.start(), items, 0, fold);
}

/** `from`: where in the list the first of them stands. */
function foldFrom<Item, State>(
  before: State,
  items: readonly Item[],
  from: number,
  { step }: Fold<Item, State>,
): State {
  let state = before;
  let at = from;
  for (const item of items) state = step(state, item, at++);
  return state;
}

/** Comparing ten thousand references takes about ten microseconds; what they refer to is not touched. */
function beginsWith(items: readonly object[], beginning: readonly object[]): boolean {
  if (beginning.length > items.length) return false;
  for (let at = 0; at < beginning.length; at++) if (items[at] !== beginning[at]) return false;
  return true;
}
