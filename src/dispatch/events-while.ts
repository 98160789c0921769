// Passes on the events that are told while something is awaited.
import type { AgentEvent } from "../domain/event.ts";

export async function* eventsWhile<Value>(
  work: (tell: (event: AgentEvent) => void) => Promise<Value>,
): AsyncGenerator<AgentEvent, Value> {
  const told: AgentEvent[] = [];
  let isOver = false;
  let wake: () => void = () => {};
  const value = work((event) => {
    told.push(event);
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  value.then(end, end);
  while (true) {
    const event = told.shift();
    if (event !== undefined) yield event;
    else if (isOver) return await value;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
