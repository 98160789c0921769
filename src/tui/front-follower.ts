// Takes the events of the conversation to the state and to everything else that reacts to them.
import { errorMessage, TunacodeError } from "../domain/error.ts";
import type { AskedChoice, Front, FrontEvent } from "../front/contract.ts";
import type { Store } from "./store.ts";

interface FollowerParts {
  readonly store: Store;
  /** Loads what the event needs before it is shown; later events wait. null: it needs nothing. */
  readonly prepare?: (event: FrontEvent) => Promise<unknown> | null;
  /** Called when the event is in the state. */
  readonly onEvent: (event: FrontEvent) => void;
  /** No session could be opened. */
  readonly onFailure: (error: Error) => void;
  readonly pick: (choice: AskedChoice) => Promise<string | null>;
  /** Somebody else has chosen. */
  readonly endPick: () => void;
}

export function followFront(front: Front, parts: FollowerParts): void {
  const { store, prepare = () => null, onEvent, onFailure, pick, endPick } = parts;
  let picking: number | null = null;
  const choose = async (choice: AskedChoice) => {
    picking = choice.id;
    const value = await pick(choice);
    if (picking !== choice.id) return;
    picking = null;
    front.send({ type: "choose", choice: choice.id, value });
  };
  const react = (event: FrontEvent) => {
    if (event.type === "choice-asked") void choose(event.choice);
    if (event.type === "choice-settled" && event.choice === picking) {
      picking = null;
      endPick();
    }
    if (event.type === "open-failed") onFailure(openingError(event));
    onEvent(event);
  };
  const show = (event: FrontEvent) => {
    try {
      store.take(event);
      react(event);
    } catch (error) {
      // A failure of the screen must not disturb the conversation.
      store.note(`An event could not be shown: ${errorMessage(error)}`, "error");
    }
  };
  const waiting: FrontEvent[] = [];
  let isTaking = false;
  const take = async (event: FrontEvent) => {
    waiting.push(event);
    if (isTaking) return;
    isTaking = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const ready = prepare(next);
      // If loading fails, the event is shown anyway.
      if (ready !== null) await Promise.allSettled([ready]);
      show(next);
    }
    isTaking = false;
  };
  front.subscribe(take);
}

/** An internal error keeps no code, so that it is printed as a bug. */
function openingError({ code, message }: Extract<FrontEvent, { type: "open-failed" }>): Error {
  return code === "internal" ? new Error(message) : new TunacodeError(code, message);
}
