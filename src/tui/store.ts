// The one place that holds what the screen shows.
import type { Tone } from "../front/contract.ts";
import type { EntryBody } from "./state/entry.ts";
import { type Action, fold } from "./state/fold.ts";
import { initialView, type ViewState } from "./state/view-state.ts";

export interface Store {
  readonly get: () => ViewState;
  readonly dispatch: (action: Action) => void;
  readonly change: (changes: Partial<ViewState>) => void;
  /** The terminal's own word, which is no event of the conversation. */
  readonly add: (entry: EntryBody) => void;
  readonly note: (text: string, tone?: Tone) => void;
  readonly subscribe: (listener: (state: ViewState) => void) => void;
}

export function createStore(): Store {
  let state = initialView();
  const listeners: ((state: ViewState) => void)[] = [];
  const dispatch = (action: Action) => {
    const next = fold(state, action);
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener(state);
  };
  const add = (entry: EntryBody) => dispatch({ type: "entry-added", entry });
  return {
    get: () => state,
    dispatch,
    change: (changes) => dispatch({ type: "changed", changes }),
    add,
    note: (text, tone = "info") => add({ kind: "notice", tone, text }),
    subscribe: (listener) => listeners.push(listener),
  };
}
