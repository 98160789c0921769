// Any history, and a vendor that refuses any of the things it holds, named or not, rightly or wrongly: whoever takes the
// newest turn as plain text answers within five calls, and then at once.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { memoryStateManager } from "../../src/app/agent.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { contentText } from "../../src/domain/content.ts";
import { Conversation } from "../../src/domain/conversation.ts";
import { ProviderError } from "../../src/domain/error.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { newSessionState } from "../../src/session/state.ts";
import { validHistory } from "../support/generated-history.ts";

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 5_000 : 200;
const MOST_CALLS = 5;

type Part = Message["parts"][number];
const REFUSED: Readonly<Record<string, (part: Part) => boolean>> = {
  images: (part) =>
    "content" in part && Array.isArray(part.content) && contentText(part.content).includes("[image"),
  thinking: (part) => part.kind === "thinking",
  attached: (part) => "providerDetails" in part && part.providerDetails !== undefined,
  calls: (part) => part.kind === "tool-call",
  "one tool": (part) => part.kind === "tool-call" && part.toolName === "bash",
  "failed returns": (part) => part.kind === "tool-return" && part.status === "failed",
  "retry prompts": (part) => part.kind === "retry-prompt" && part.toolName !== undefined,
  "an early word": (part) => "content" in part && JSON.stringify(part.content).includes("prompt 1"),
};

const refusals = fc.record({
  what: fc.subarray(Object.keys(REFUSED), { minLength: 1 }),
  named: fc.subarray(["image", "thinking", "tool", "bash", "of-tomorrow"]),
});

test("a conversation is never stuck", async () => {
  let simplified = 0;
  await fc.assert(
    fc.asyncProperty(validHistory, refusals, async (history, { what, named }) => {
      const isRefused = ({ messages }: ModelRequest) =>
        messages.some(({ parts }) => parts.some((part: Part) => what.some((name) => REFUSED[name]?.(part))));
      let asked = 0;
      const model = scriptedModel({
        turns: (request) => {
          if (request.system.startsWith("You condense")) return [{ text: "A summary." }];
          asked++;
          expect(checkHistory(request.messages)).toEqual([]);
          const fail = new ProviderError("provider_error", "Refused.", { refused: named });
          return [isRefused(request) ? { fail } : { text: "Here I am." }];
        },
      });
      const place = { sessionId: "s", projectId: "p", workingDirectory: "/", model: model.name, now: "" };
      const session = { ...newSessionState(place), conversation: new Conversation(history) };
      const manager = memoryStateManager({ createModel: async () => model }, session);
      const ask = async (words: string) => {
        asked = 0;
        let outcome = "";
        for await (const event of runRequest(words, model, manager))
          if (event.type === "request-end") outcome = event.outcome.type;
        return { outcome, asked };
      };
      const first = await ask("Go on.");
      expect(first.outcome).toBe("completed");
      expect(first.asked).toBeLessThanOrEqual(MOST_CALLS);
      if (first.asked > 1) simplified++;
      expect(await ask("And on.")).toEqual({ outcome: "completed", asked: 1 });
    }),
    { numRuns: RUNS, seed: 15 },
  );
  console.log(`refused histories: ${RUNS}, ${simplified} of them needed a simpler form`);
  expect(simplified).toBeGreaterThan(RUNS / 4);
}, 600_000);
