// A whole session on every wire, with the real prompt, tools and journal. Every request is complete, its prefix never
// changes, a vendor's failure costs one request and not the session, and no key is written anywhere.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Agent, openAgent } from "../../src/app/compose.ts";
import { runRequest } from "../../src/app/run-request.ts";
import type { AgentSettings } from "../../src/app/settings.ts";
import type { AgentEvent, Outcome } from "../../src/domain/event.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer, call, refuse, type Turn, text, thought } from "../support/strict-llm-server/turn.ts";
import { type TempWorkspace, tempWorkspace } from "../support/temp-workspace.ts";
import { conversationOf, TEST_KEY, withoutCacheMarks } from "../support/vendor-path.ts";

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.stop());

const AGENTS = "Always answer in rhymes about tuna.";
const NEVER = { headersAfterMs: Number.POSITIVE_INFINITY };

const WIRES = ["openai-responses", "anthropic", "google", "openai-chat"] as const;
type Wire = (typeof WIRES)[number];
const MODELS: Record<Wire, string> = {
  "openai-responses": "gpt-5.4",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro",
  "openai-chat": "qwen3-coder",
};

describe.each(WIRES)("%s", (wire) => {
  test("ten requests all contain the system prompt and AGENTS.md, with the same prefix byte for byte", async () => {
    using place = project();
    const session = await open(wire, place);
    const first = server.requests.length;
    for (let round = 0; round < 10; round++) {
      server.script([
        answer(thought(`Round ${round}.`), call("read_file", { filepath: "a.txt" })),
        answer(thought("Read."), `Answer ${round}.`),
      ]);
      expect(await session.ask(`Question ${round}.`)).toMatchObject({ type: "completed" });
    }
    await session.close();
    const requests = server.requests.slice(first);
    expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(requests).toHaveLength(20);
    for (const { text: body } of requests) {
      expect(body).toContain(AGENTS);
      expect(body).toContain("tunacode");
      expect(body).toContain("read_file");
    }
    const bodies = requests.map(({ text: body }) => withoutCacheMarks(body));
    // Compares everything except the conversation, and the conversation up to its previous end.
    expect(new Set(bodies.map(withoutConversation)).size).toBe(1);
    for (const [index, body] of bodies.entries()) {
      const before = conversationOf(bodies[index - 1] ?? '{"messages":[]}');
      expect(conversationOf(body).startsWith(before.slice(0, -1))).toBe(true);
    }
  });

  test("an edited AGENTS.md takes effect with the next request", async () => {
    using place = project();
    const session = await open(wire, place);
    server.script([answer("One."), answer("Two.")]);
    await session.ask("First.");
    place.write("project/AGENTS.md", "Never mention tuna.");
    await session.ask("Second.");
    await session.close();
    expect(server.requests.at(-2)?.text).toContain(AGENTS);
    expect(server.requests.at(-1)?.text).toContain("Never mention tuna.");
    expect(server.requests.at(-1)?.text).not.toContain(AGENTS);
  });

  test.each<[string, Turn, string]>([
    ["never answers", { ...answer("never"), delivery: NEVER }, "failed provider_unreachable"],
    ["closes at once", { kind: "close" }, "failed provider_unreachable"],
    [
      "stops in the middle",
      {
        ...answer(text("Some words.", 2)),
        delivery: { pieces: "event", cut: { atByte: 900, how: "reset" } },
      },
      "completed",
    ],
    ["refuses the key", refuse(401, { message: `bad key ${TEST_KEY}` }), "failed auth"],
    ["refuses the request", refuse(400, { message: `no temperature, ${TEST_KEY}` }), "failed provider_error"],
    ["is out of order", refuse(500), "failed provider_error"],
  ])(
    "a vendor that %s: the person knows, the session goes on, and no key is on disk",
    async (_, turn, expected) => {
      using place = project();
      const session = await open(wire, place);
      server.script([answer("Before."), turn, answer("After."), answer("At last.")]);
      await session.ask("One.");
      const outcome = await session.ask(`Two, with my key ${TEST_KEY}.`);
      expect(outcome.type === "failed" ? `failed ${outcome.code}` : outcome.type).toBe(expected);
      expect(await session.ask("Three.")).toMatchObject({ type: "completed" });
      const { messages } = session.agent.manager.session.conversation;
      expect(checkHistory(messages)).toEqual([]);
      await session.close();
      expect(server.requests.at(-1)?.problems).toEqual([]);
      const written = filesBelow(place.path("home"));
      expect(written.some(({ content }) => content.includes("Three."))).toBe(true);
      expect(written.filter(({ content }) => content.includes(TEST_KEY))).toEqual([]);
      expect(
        JSON.stringify(session.events) + Bun.inspect(session.events) + session.said.join(),
      ).not.toContain(TEST_KEY);
    },
  );
});

function project(): TempWorkspace {
  return tempWorkspace({ "project/AGENTS.md": AGENTS, "project/a.txt": "alpha\n", "home/.keep": "" });
}

interface Session {
  readonly agent: Agent;
  readonly events: readonly AgentEvent[];
  /** Everything that was shown to the person or logged. */
  readonly said: readonly string[];
  readonly ask: (prompt: string) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

async function open(wire: Wire, place: TempWorkspace): Promise<Session> {
  const events: AgentEvent[] = [];
  const said: string[] = [];
  const settings: AgentSettings = {
    cwd: place.path("project"),
    env: { HOME: place.path("home"), VENDOR_KEY: TEST_KEY },
    session: { type: "new" },
    models: {
      asked: `vendor:${MODELS[wire]}`,
      providers: {
        vendor: {
          api: wire,
          baseUrl: wire === "google" ? server.url : `${server.url}/v1`,
          apiKeyEnv: "VENDOR_KEY",
        },
      },
      timeouts: { firstByteMs: 300, idleMs: 300 },
      maxRetries: 0,
      thinking: "low",
    },
    permission: { mode: "ask", rules: [], sandbox: "off" },
    trusted: false,
    notify: (words) => said.push(words),
    log: (...words) => said.push(Bun.inspect(words)),
  };
  const agent = await openAgent(settings);
  return {
    agent,
    events,
    said,
    ask: async (prompt) => {
      const running = runRequest(prompt, agent.manager.session.currentModel, agent.manager);
      while (true) {
        const next = await running.next();
        if (next.done) return next.value;
        events.push(next.value);
      }
    },
    close: agent.close,
  };
}

function withoutConversation(body: string): string {
  const { messages: _m, input: _i, contents: _c, ...rest } = JSON.parse(body);
  return JSON.stringify(rest);
}

function filesBelow(folder: string): { readonly path: string; readonly content: string }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path, content: readFileSync(path, "latin1") }));
}
