// Whatever happens to a conversation (repairs, a window that is too small, summaries, a crash), no word of its person
// leaves the journal, and requests lose only what is beyond the cap on prompts beside a summary.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { memoryStateManager } from "../../src/app/agent.ts";
import { compactNow } from "../../src/app/compact.ts";
import { recordOf } from "../../src/app/compose.ts";
import { runRequest } from "../../src/app/run-request.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import type { Part } from "../../src/domain/part.ts";
import { isSummary } from "../../src/domain/summary.ts";
import { contentCharacters, historyTokens } from "../../src/domain/tokens.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { mostPromptTokens } from "../../src/history/kept-prompts.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { createSession, type OpenSession, openSession } from "../../src/session/open.ts";
import { addMessage } from "../../src/session/reduce.ts";
import { validHistory } from "../support/generated-history.ts";
import { MemoryDisk } from "../support/memory-disk.ts";
import { MemoryJournals } from "../support/memory-journal.ts";

const RUNS = process.env["TUNACODE_LONG"] ? 20_000 : 300;
const CHARACTERS_PER_TOKEN = 4;
const MARK = /\b(?:prompt|image) \d+/g;

/** What a person does next. */
const step = fc.constantFrom("ask", "ask", "ask", "ask long", "compact", "reopen", "crash");
const plan = fc.record({
  history: validHistory,
  /** How much longer each part is than it says, in turn. */
  padding: fc.array(fc.constantFrom(0, 0, 30, 200, 1_200), { minLength: 1, maxLength: 5 }),
  window: fc.integer({ min: 400, max: 4_000 }),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
});

test(
  `no word of a person is lost, in ${RUNS} generated conversations and windows`,
  async () => {
    const seen = { requests: 0, summaries: 0, dropped: 0 };
    const property = fc.asyncProperty(plan, (given) => checkPlan(given, seen));
    await fc.assert(property, { numRuns: RUNS, seed: 15 });
    console.log(
      `${RUNS} conversations, ${seen.requests} requests, ${seen.summaries} summaries, ${seen.dropped} requests without the oldest prompts`,
    );
    expect(seen.summaries).toBeGreaterThan(RUNS / 10);
    expect(seen.dropped).toBeGreaterThan(0);
  },
  { timeout: 900_000 },
);

interface Seen {
  requests: number;
  summaries: number;
  dropped: number;
}

type Plan = typeof plan extends fc.Arbitrary<infer Given> ? Given : never;

async function checkPlan({ history, padding, window, steps }: Plan, seen: Seen): Promise<void> {
  const journals = new MemoryJournals();
  const options = { disk: new MemoryDisk(), journal: journals.at };
  const place = { folder: "/sessions", projectId: "p", workingDirectory: "/", model: "demo:script" };
  let session: OpenSession = createSession({ ...options, ...place });
  for (const message of padded(history, padding)) addMessage(session.state, message);
  /** What the person said, oldest first, with its size. */
  const said = new Map(promptsOf(session.state.conversation.messages));
  let count = 1_000;

  for (const next of steps) {
    const requests: ModelRequest[] = [];
    const model = scriptedModel({
      contextWindow: window,
      onRequest: (request) => requests.push({ ...request, messages: [...request.messages] }),
      turns: ({ system }) => {
        if (!system.startsWith("You condense")) return [{ text: "noted ".repeat(10) }];
        seen.summaries++;
        return [{ text: "a summary" }];
      },
    });
    const { writer, state } = session;
    const record = recordOf(writer);
    const manager = memoryStateManager({ createModel: async () => model, record }, state);
    if (next === "ask" || next === "ask long") {
      const words = `prompt ${++count}${" long".repeat(next === "ask long" ? window / 40 : 0)}`;
      said.set(`prompt ${count}`, words.length);
      for await (const _event of runRequest(words, model, manager));
    } else if (next === "compact")
      for await (const _event of compactNow(model, manager, new AbortController().signal));
    else {
      if (next === "crash") {
        const words = `prompt ${++count}`;
        said.set(words, words.length);
        await writer.prompt(words, "r");
        journals.stopWriter(state.sessionId);
      } else await writer.close();
      const opening = await openSession(writer.paths, options);
      if (opening.type === "open") session = opening.session;
    }
    const { messages } = session.state.conversation;
    expect(checkHistory(messages)).toEqual([]);
    const kept = new Set(JSON.stringify(journals.kept.get(state.sessionId)?.records).match(MARK));
    if (journals.kept.get(state.sessionId)?.records.length !== 0)
      expect([...said.keys()].filter((mark) => !kept.has(mark))).toEqual([]);
    for (const request of requests) {
      if (request.system.startsWith("You condense")) continue;
      seen.requests++;
      seen.dropped += checkRequest(request, said, window);
    }
    checkMissing(messages, said, window);
  }
}

function checkRequest({ messages }: ModelRequest, said: ReadonlyMap<string, number>, window: number): number {
  expect(historyTokens(messages)).toBeLessThanOrEqual(window);
  return checkMissing(messages, said, window);
}

/** Without a summary nothing is missing. With one, only what would not fit below the cap together with what is newer. */
function checkMissing(
  messages: readonly Message[],
  said: ReadonlyMap<string, number>,
  window: number,
): number {
  const present = new Set(promptsOf(messages).map(([mark]) => mark));
  const marks = [...said];
  const newest = marks.findLastIndex(([mark]) => !present.has(mark));
  if (newest === -1) return 0;
  expect(
    messages.some(({ parts }) => parts.some((part) => part.kind === "user-prompt" && isSummary(part))),
  ).toBe(true);
  const characters = marks.slice(newest).reduce((sum, [, size]) => sum + size, 0);
  expect(characters).toBeGreaterThan(mostPromptTokens(window) * CHARACTERS_PER_TOKEN);
  return 1;
}

/** The mark of each prompt, and its size. */
function promptsOf(messages: readonly Message[]): [mark: string, size: number][] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part): [string, number][] => {
      if (part.kind !== "user-prompt" || isSummary(part)) return [];
      const [mark] = JSON.stringify(part.content).match(MARK) ?? [];
      return mark === undefined ? [] : [[mark, contentCharacters(part.content)]];
    }),
  );
}

function padded(messages: readonly Message[], padding: readonly number[]): Message[] {
  let at = 0;
  const pad = <Kind extends Part>(part: Kind): Kind =>
    "content" in part && typeof part.content === "string" && part.content !== ""
      ? { ...part, content: part.content + " x".repeat((padding[at++ % padding.length] ?? 0) / 2) }
      : part;
  return messages.map((message) =>
    message.kind === "request"
      ? { ...message, parts: message.parts.map(pad) }
      : { ...message, parts: message.parts.map(pad) },
  );
}
