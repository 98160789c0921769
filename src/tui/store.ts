// The one place that holds what the screen shows.
import { type Action, fold } from "./state/fold.ts";
import { initialView, type ViewState } from "./state/view-state.ts";

export interface Store {
  readonly get: () => ViewState;
  readonly dispatch: (action: Action) => void;
  readonly change: (changes: Partial<ViewState>) => void;
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
  return {
    get: () => state,
    dispatch,
    change: (changes) => dispatch({ type: "changed", changes }),
    subscribe: (listener) => listeners.push(listener),
  };
}
