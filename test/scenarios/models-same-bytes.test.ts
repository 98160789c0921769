// A model keeps what it has written of each message, and still sends the very bytes of one that is new: conversations
// that grow, take turns, lose messages or change in the middle, over every vendor's package.
import { afterAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Message } from "../../src/domain/message.ts";
import type { Model } from "../../src/domain/model.ts";
import type { Fetch } from "../../src/models/settings.ts";
import { validHistory } from "../support/generated-history.ts";
import { callModel, SYSTEM, TOOLS, user, VENDOR_PATHS } from "../support/vendor-path.ts";

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 20_000 : 100;

let compared = 0;
afterAll(() => console.log(`${compared} bodies compared`));

/** Refused right away, which ends neither the client nor what is kept. */
const REFUSAL = () => Response.json({ error: { message: "seen" } }, { status: 400 });

const step = fc.record({
  conversation: fc.nat({ max: 1 }),
  /** How many messages it has more than the last time. */
  more: fc.integer({ min: -1, max: 4 }),
  change: fc.constantFrom("none", "none", "none", "copied", "system", "tools", "no tools"),
  at: fc.nat(),
});

for (const path of VENDOR_PATHS)
  test(
    `${path.name}: the body is the same, by an old model and a new one`,
    async () => {
      let body = "";
      const fetch: Fetch = async (_, init) => {
        body = String(init?.body);
        return REFUSAL();
      };
      const make = () => path.create("http://127.0.0.1:1", { fetch, thinking: "low" });
      const bodyOf = async (model: Model, request: Parameters<typeof callModel>[1]) => {
        body = "";
        const { error } = await callModel(model, request);
        expect(error?.code).not.toBe("wire_gate");
        return body;
      };
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(validHistory, validHistory),
          fc.array(step, { maxLength: 12 }),
          async (histories, steps) => {
            const conversations = histories.map((history, index) => [
              user(`Talk ${index}.`),
              ...answered(history),
            ]);
            const lengths = [1, 1];
            const model = await make();
            for (const { conversation, more, change, at } of steps) {
              const all = conversations[conversation] ?? [];
              const wanted = Math.max(1, (lengths[conversation] ?? 1) + more);
              const messages = all.slice(0, endOfRequest(all, wanted));
              lengths[conversation] = messages.length;
              const request = {
                messages: change === "copied" ? withCopy(messages, at) : messages,
                system: change === "system" ? `${SYSTEM} And quick.` : SYSTEM,
                tools: change === "tools" ? TOOLS.slice(1) : TOOLS,
                ...(change === "no tools" && { toolChoice: "none" as const }),
              };
              compared++;
              expect(await bodyOf(model, request)).toBe(await bodyOf(await make(), request));
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
    RUNS > 1_000 ? 3_600_000 : 60_000,
  );

/** A response to the opening words, so that requests and responses take turns. */
function answered(history: readonly Message[]): Message[] {
  return [{ kind: "response", parts: [{ kind: "text", content: "Go on." }] }, ...history];
}

/** The last length up to this one after which a model can be asked. */
function endOfRequest(messages: readonly Message[], wanted: number): number {
  let length = Math.min(wanted, messages.length);
  while (messages[length - 1]?.kind !== "request") length--;
  return length;
}

/** The same words in another object. */
function withCopy(messages: readonly Message[], at: number): Message[] {
  const index = at % messages.length;
  return messages.map((message, place) => (place === index ? { ...message } : message));
}
