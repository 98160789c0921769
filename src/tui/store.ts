// The one place that holds what the screen shows.
import type { FrontEvent, Tone } from "../front/contract.ts";
import type { EntryBody } from "./state/entry.ts";
import { fold } from "./state/fold.ts";
import { INITIAL_VIEW, type ViewState, withEntries } from "./state/view-state.ts";

export interface Store {
  readonly get: () => ViewState;
  readonly take: (event: FrontEvent) => void;
  readonly change: (changes: Partial<ViewState>) => void;
  /** Something the terminal itself says, which is no event of the conversation. */
  readonly add: (entry: EntryBody) => void;
  readonly note: (text: string, tone?: Tone) => void;
  readonly subscribe: (listener: (state: ViewState) => void) => void;
}

export function createStore(): Store {
  let state = INITIAL_VIEW;
  const listeners: ((state: ViewState) => void)[] = [];
  const set = (next: ViewState) => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener(state);
  };
  const add = (entry: EntryBody) => set(withEntries(state, [entry]));
  return {
    get: () => state,
    take: (event) => set(fold(state, event)),
    change: (changes) => set({ ...state, ...changes }),
    add,
    note: (text, tone = "info") => add({ kind: "notice", tone, text }),
    subscribe: (listener) => listeners.push(listener),
  };
}
