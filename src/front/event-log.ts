// Numbers the events of a conversation and hands each to every listener.
import { systemClock } from "../base/clock.ts";
import type { FrontEvent, FrontEventBody, FrontListener } from "./contract.ts";

export type Tell = (body: FrontEventBody) => void;

export class EventLog {
  readonly #listeners = new Set<FrontListener>();
  #number = 0;

  readonly tell: Tell = (body) => {
    this.#number++;
    const event = this.#event(body);
    for (const listener of this.#listeners) hand(event, listener);
  };

  /** present: the current state, for a late subscriber. */
  subscribe(listener: FrontListener, present: readonly FrontEventBody[]): () => void {
    for (const body of present) hand(this.#event(body), listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #event(body: FrontEventBody): FrontEvent {
    return { ...body, number: this.#number, at: systemClock.now() };
  }
}

function hand(event: FrontEvent, listener: FrontListener): void {
  try {
    listener(event);
  } catch {
    // A listener that throws must not disturb the conversation or the other listeners.
  }
}
