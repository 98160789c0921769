// Events of the conversation, taken to the state and to whatever else has to notice them.
import { errorMessage, TunacodeError } from "../domain/error.ts";
import type { AskedChoice, Front, FrontEvent } from "../front/contract.ts";
import type { Store } from "./store.ts";

export interface FollowerParts {
  readonly store: Store;
  /** What the event needs before it can be shown; null: nothing. Until then, later events wait behind it. */
  readonly prepare?: (event: FrontEvent) => Promise<unknown> | null;
  /** After the event is in the state. */
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
      // What can't be shown must not touch the conversation.
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
      // What can't be made ready is shown without it.
      if (ready !== null) await Promise.allSettled([ready]);
      show(next);
    }
    isTaking = false;
  };
  front.subscribe(take);
}

/** A bug stays one, so that it is printed as one. */
function openingError({ code, message }: Extract<FrontEvent, { type: "open-failed" }>): Error {
  return code === "internal" ? new Error(message) : new TunacodeError(code, message);
}
