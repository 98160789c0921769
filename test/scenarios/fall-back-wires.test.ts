// Falling back between vendors on every wire, with the real agent and through the binary, and models whose key or
// address changes while the agent is open.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Agent, openAgent } from "../../src/app/compose.ts";
import { processRequest } from "../../src/app/process-request.ts";
import type { AgentSettings } from "../../src/app/settings.ts";
import { latestAnswer } from "../../src/domain/message.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import type { ModelPreferences, Wire } from "../../src/models/settings.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer, call, refuse, type Turn, thought } from "../support/strict-llm-server/turn.ts";
import { tempWorkspace } from "../support/temp-workspace.ts";

setDefaultTimeout(60_000);

let server: StrictServer;
let lab: CliLab;
beforeAll(async () => {
  server = await startStrictServer();
  lab = await openCliLab();
}, 120_000);
afterAll(async () => {
  await server.stop();
  await lab.close();
});

const MODELS: Readonly<Record<Wire, string>> = {
  "openai-responses": "gpt-5.4",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro",
  "openai-chat": "qwen3-coder",
};
const WIRES: readonly Wire[] = ["openai-responses", "anthropic", "google", "openai-chat"];
const nameOf = (wire: Wire) => `${wire}:${MODELS[wire]}`;

function providers(at: StrictServer) {
  return Object.fromEntries(
    WIRES.map((api) => [
      api,
      { api, baseUrl: api === "google" ? at.url : `${at.url}/v1`, apiKeyEnv: "VENDOR_KEY" },
    ]),
  );
}

async function withAgent(
  models: ModelPreferences,
  use: (ask: (prompt: string) => Promise<string | null>, said: string[], agent: Agent) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  using place = tempWorkspace({ "project/a.txt": "alpha\n", "home/.keep": "" });
  const settings: AgentSettings = {
    cwd: place.path("project"),
    env: Object.assign(env, { HOME: place.path("home"), VENDOR_KEY: "sk-test-0123456789" }),
    session: { type: "new" },
    models: { providers: providers(server), maxRetries: 0, thinking: "low", ...models },
    permission: { mode: "ask", rules: [], sandbox: "off" },
    trusted: false,
    notify: () => {},
  };
  const agent = await openAgent(settings);
  const { manager, close } = agent;
  const said: string[] = [];
  const noticeCallback = (text: string) => void said.push(text);
  await use(
    async (prompt) => {
      const run = await processRequest(prompt, manager.session.currentModel, manager, { noticeCallback });
      expect(checkHistory(run.allMessages())).toEqual([]);
      return latestAnswer(run.allMessages());
    },
    said,
    agent,
  );
  await close();
}

/** What the model that has the name of a wire does; the others answer with their wire's name. */
function script(broken: Wire, turn: Turn): void {
  server.script(({ wire }) => (wire === broken ? turn : answer(thought("Well."), `Here is ${wire}.`)));
}

const TROUBLES: readonly (readonly [string, Turn])[] = [
  ["overloaded", refuse(503)],
  [
    "overloaded in its stream",
    { ...answer(), failure: { afterEvents: 0, status: 529, message: "overloaded" } },
  ],
  ["out of quota", refuse(429, { code: "insufficient_quota" })],
  ["unpaid", refuse(402)],
  ["gone", refuse(404)],
  ["unreachable", { kind: "close" }],
];

for (const [index, from] of WIRES.entries()) {
  const to = WIRES[(index + 1) % WIRES.length] ?? from;
  test(`${from} -> ${to}: in the middle of the work, and for every reason`, async () => {
    await withAgent({ asked: nameOf(from), fallback: [nameOf(to)] }, async (ask, said) => {
      let calls = 0;
      server.script(({ wire }) => {
        if (wire === to) return answer(thought("Well."), "Here.");
        return calls++ === 0
          ? answer(thought("Look."), call("read_file", { filepath: "a.txt" }))
          : refuse(503);
      });
      const before = server.requests.length;
      expect(await ask("Read a.txt.")).toBe("Here.");
      const made = server.requests.slice(before);
      expect(made.map(({ wire }) => wire)).toEqual([from, from, to]);
      expect(made.flatMap(({ problems }) => problems)).toEqual([]);
      // The other vendor gets the whole work.
      expect(made.at(-1)?.text).toContain("alpha");
      expect(said).toHaveLength(1);
    });
    for (const [trouble, turn] of TROUBLES)
      await withAgent({ asked: nameOf(from), fallback: [nameOf(to)] }, async (ask, said) => {
        script(from, turn);
        expect([trouble, await ask("Hi.")]).toEqual([trouble, `Here is ${to}.`]);
        expect(said.join()).toContain(`${nameOf(to)} answers in its place`);
      });
  });
}

test("a model that the person chooses again is tried at once", async () => {
  const [from, to] = [nameOf("openai-chat"), nameOf("anthropic")];
  await withAgent({ asked: from, fallback: [to] }, async (ask, _said, agent) => {
    script("openai-chat", refuse(503));
    expect(await ask("Hi.")).toBe("Here is anthropic.");
    server.script(() => answer(thought("Well."), "Well again."));
    expect(await ask("Hi.")).toBe("Well again.");
    expect(server.requests.at(-1)?.wire).toBe("anthropic");
    const { runtime } = agent.manager.session;
    expect(runtime.standIn).toMatchObject({ name: to });
    await agent.useModel(from);
    expect(runtime.standIn).toBeNull();
    await ask("Hi.");
    expect(server.requests.at(-1)?.wire).toBe("openai-chat");
  });
});

test("a changed key and address are used by the next request, without a new agent", async () => {
  const other = await startStrictServer({ script: () => answer("There.") });
  server.script(() => answer("Here."));
  const env: Record<string, string> = {
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: "sk-one-0123456789",
  };
  await withAgent(
    { asked: "openai:m" },
    async (ask) => {
      expect(await ask("One.")).toBe("Here.");
      env["OPENAI_API_KEY"] = "sk-two-0123456789";
      expect(await ask("Two.")).toBe("Here.");
      env["OPENAI_BASE_URL"] = `${other.url}/v1`;
      expect(await ask("Three.")).toBe("There.");
    },
    env,
  );
  const keys = [...server.requests.slice(-2), ...other.requests].map(({ headers }) =>
    headers.get("authorization"),
  );
  expect(keys).toEqual(["sk-one", "sk-two", "sk-two"].map((key) => `Bearer ${key}-0123456789`));
  await other.stop();
});

test("--base-url is for the chosen model's provider, not for one to fall back on", async () => {
  const proxy = await startStrictServer({ script: () => refuse(503) });
  server.script(() => answer("Here."));
  const models = { asked: "openai:m", baseUrl: `${proxy.url}/v1`, fallback: [nameOf("anthropic")] };
  await withAgent(
    models,
    async (ask) => {
      expect(await ask("Hi.")).toBe("Here.");
    },
    { OPENAI_API_KEY: "sk-one-0123456789" },
  );
  expect(proxy.requests.map(({ model }) => model)).toEqual(["m"]);
  await proxy.stop();
});

test("through the binary: the configuration's fall-back answers, and the json says who", async () => {
  mkdirSync(join(lab.home, ".config"), { recursive: true });
  const config = {
    default_model: "openai:full",
    fallback: "openai:free",
    settings: { max_retries: 0 },
  };
  writeFileSync(join(lab.home, ".config/tunacode.json"), JSON.stringify(config), { mode: 0o600 });
  lab.script(({ model }) => (model === "full" ? refuse(503) : answer(`from ${model}`)));
  const { stdout, code } = await lab.run(["run", "--output", "stream-json", "hi"]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.find(({ type }) => type === "model-change")).toMatchObject({
    model: "openai:free",
    chosen: "openai:full",
    reason: expect.stringContaining("overloaded (503)"),
  });
  const result = lines.at(-1);
  expect(result).toMatchObject({ output: "from free", model: "openai:full", answered_by: "openai:free" });

  // The session's model is still the chosen one.
  lab.script(() => answer("well again"));
  const again = JSON.parse((await lab.run(["run", "-c", "--output-json", "hi"])).stdout);
  expect(again).toMatchObject({ session_id: result.session_id, model: "openai:full" });
  expect(again.answered_by).toBeUndefined();

  lab.script(() => refuse(503));
  const failed = await lab.run(["run", "--fallback", "openai:other", "hi"]);
  expect(failed.code).toBe(4);
  expect(failed.stderr).toContain("openai:full: openai is overloaded (503)");
  expect(failed.stderr).toContain("openai:other: openai is overloaded (503)");

  lab.script(() => refuse(401));
  expect((await lab.run(["run", "--fallback", "openai:other", "hi"])).code).toBe(3);
}, 60_000);
