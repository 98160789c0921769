// Asks questions on a terminal, each answered with one line. What is typed for a key is not echoed.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { UserAbortError } from "../domain/error.ts";

export interface LineQuestions {
  readonly ask: (question: string) => Promise<string>;
  readonly askHidden: (question: string) => Promise<string>;
  readonly close: () => void;
}

export function openQuestions(): LineQuestions {
  let hidden = false;
  const output = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      if (!hidden) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const left = new Promise<never>((_, reject) =>
    lines.once("close", () => reject(new UserAbortError("Stopped; nothing was saved."))),
  );
  // Closing while no question is pending is not a failure.
  left.catch(() => {});
  const ask = async (question: string) => (await Promise.race([lines.question(question), left])).trim();
  return {
    ask,
    askHidden: async (question) => {
      process.stderr.write(question);
      hidden = true;
      try {
        return await ask("");
      } finally {
        hidden = false;
        process.stderr.write("\n");
      }
    },
    close: () => lines.close(),
  };
}
