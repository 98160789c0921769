// A front at the other end of a wire: commands, events and answers cross it as JSON, later and in order.
import type { Front } from "../../src/front/contract.ts";

export function overJson({ send, subscribe, lookups, close }: Front): Front {
  return {
    send: (command) => later(command, send),
    subscribe: (listener) => subscribe((event) => later(event, listener)),
    lookups: {
      files: async () => copied(await lookups.files()),
      prompts: async () => copied(await lookups.prompts()),
      messages: async () => copied(await lookups.messages()),
      changes: async () => copied(await lookups.changes()),
      preview: async (choice, value) => copied(await lookups.preview(choice, value)),
    },
    close,
  };
}

function later<Value>(value: Value, take: (value: Value) => void): void {
  const text = JSON.stringify(value);
  setTimeout(() => take(JSON.parse(text)), 1);
}

function copied<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
