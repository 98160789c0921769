// Events of the conversation, taken to the state and to whatever else has to notice them.
import { errorMessage } from "../domain/error.ts";
import type { AskedChoice, Front, FrontEvent } from "../front/contract.ts";
import type { Store } from "./store.ts";

export interface FollowerParts {
  readonly store: Store;
  /** What has to be there before the event is shown; null: nothing. */
  readonly prepare: (event: FrontEvent) => Promise<unknown> | null;
  /** After the event is in the state. */
  readonly onEvent: (event: FrontEvent) => void;
  readonly pick: (choice: AskedChoice) => Promise<string | null>;
  /** Somebody else has chosen. */
  readonly endPick: () => void;
}

export function followFront(front: Front, parts: FollowerParts): () => void {
  const { store, prepare, onEvent, pick, endPick } = parts;
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
    onEvent(event);
  };
  const show = (event: FrontEvent) => {
    try {
      store.dispatch({ type: "front", event });
      react(event);
    } catch (error) {
      // What can't be shown must not touch the conversation.
      store.note(`An event could not be shown: ${errorMessage(error)}`, "error");
    }
  };
  return front.subscribe(inOrder(prepare, show));
}

/** Hands events on in their order: one that has to wait for something holds up those behind it. */
function inOrder(
  prepare: (event: FrontEvent) => Promise<unknown> | null,
  take: (event: FrontEvent) => void,
): (event: FrontEvent) => void {
  const behind: FrontEvent[] = [];
  let isHeldUp = false;
  const holdUp = async (first: FrontEvent, ready: Promise<unknown>) => {
    isHeldUp = true;
    // What can't be made ready is shown without.
    await Promise.allSettled([ready]);
    take(first);
    for (let next = behind.shift(); next !== undefined; next = behind.shift()) {
      await Promise.allSettled([prepare(next)]);
      take(next);
    }
    isHeldUp = false;
  };
  return (event) => {
    if (isHeldUp) return void behind.push(event);
    const ready = prepare(event);
    if (ready === null) take(event);
    else void holdUp(event, ready);
  };
}
