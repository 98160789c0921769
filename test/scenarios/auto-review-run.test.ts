// The mode auto with the built binary: one model works, another one reviews, and the strict server sees what each is sent.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, refuse, type Turn, text } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

const SMALL = "gpt-6-luna";
const yes = answer('{"verdict":"allow","reason":"you asked to run the tests"}');
const write = call("write_file", { filepath: "src/new.ts", content: "CANARY-written\n" });
const testing = call("bash", { command: "npm test", env: { CI: "CANARY-variable" } });

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
  const bin = join(lab.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), "#!/bin/sh\necho CANARY-output; touch ran\n");
  chmodSync(join(bin, "npm"), 0o755);
  mkdirSync(join(lab.home, ".config"), { recursive: true });
  writeFileSync(join(lab.home, ".config/tunacode.json"), JSON.stringify({ small_model: `openai:${SMALL}` }));
}, 120_000);
afterAll(() => lab.close());
beforeEach(() => {
  rmSync(sessionFolder(), { force: true, recursive: true });
  rmSync(join(lab.folder, "ran"), { force: true });
  rmSync(join(lab.folder, "src"), { force: true, recursive: true });
});

/** What the conversation's model says in turn; what the reviewer says each time. */
function script(turns: readonly Turn[], review: Turn): void {
  let taken = 0;
  lab.script(({ model }) => (model === SMALL ? review : (turns[taken++] ?? answer("Done."))));
}

const reviews = (from: number) => lab.server.requests.slice(from).filter(({ model }) => model === SMALL);

async function auto(args: readonly string[], options: { readonly stdin?: string } = {}) {
  const from = lab.server.requests.length;
  const env = { PATH: `${lab.home}/bin:${lab.env["PATH"]}` };
  const flags = ["run", "--permission", "auto", "--sandbox", "off", "--output", "stream-json"];
  const { code, stdout, stderr } = await lab.run([...flags, ...args], { env, ...options });
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { code, stderr, events, result: events.at(-1), reviews: reviews(from) };
}

const ofType = (events: readonly { readonly type: string }[], type: string) =>
  events.filter((event) => event.type === type);

test("an edit in the project and the tests run, and nothing of files, tools or the model reaches the reviewer", async () => {
  writeFileSync(join(lab.folder, "AGENTS.md"), "CANARY-agents\n");
  writeFileSync(join(lab.folder, "notes.txt"), "CANARY-file\n");
  const turns = [
    answer(text("CANARY-model-words"), call("read_file", { filepath: "notes.txt" })),
    answer(write),
    answer(testing),
    answer("All done."),
  ];
  script(turns, yes);
  const run = await auto(["add src/new.ts, then run the tests; see @notes.txt"], { stdin: "CANARY-pipe\n" });
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
  expect(readFileSync(join(lab.folder, "src/new.ts"), "utf8")).toBe("CANARY-written\n");
  expect(existsSync(join(lab.folder, "ran"))).toBe(true);
  expect(run.reviews).toHaveLength(2);
  for (const { text: sent } of run.reviews) {
    expect(sent).toContain("add src/new.ts, then run the tests; see @notes.txt");
    expect(sent.replaceAll("CANARY-variable", "")).not.toContain("CANARY");
    expect(sent).not.toContain("sk-strict-server");
  }
  expect(run.reviews[0]?.text).toContain("src/new.ts");
  expect(run.reviews[1]?.text).toContain("npm test");
  expect(ofType(run.events, "review")).toMatchObject([
    { tool_name: "write_file", verdict: "allow", model: `openai:${SMALL}` },
    { tool_name: "bash", call: "npm test", verdict: "allow", reason: "you asked to run the tests" },
  ]);
  // Its cost counts: the usage of the result is the sum of all usage events.
  const spent = ofType(run.events, "usage") as readonly { readonly prompt_tokens?: number }[];
  expect(spent.length).toBe(6);
  expect(run.result.usage.prompt_tokens).toBe(
    spent.reduce((sum, { prompt_tokens = 0 }) => sum + prompt_tokens, 0),
  );
  expect(journalReviews()).toMatchObject([{ tool: "write_file" }, { shown: "npm test", verdict: "allow" }]);
});

function sessionFolder(): string {
  return join(lab.home, ".local/share/tunacode/sessions");
}

function journalReviews() {
  const journals = readdirSync(sessionFolder()).filter((name) => name.endsWith(".jsonl"));
  expect(journals).toHaveLength(1);
  const lines = readFileSync(join(sessionFolder(), journals[0] ?? ""), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "review");
}

const ASKED = "needs a person's yes";
test.each<[string, Turn]>([
  ["asks", answer('{"verdict":"ask","reason":"not sure"}')],
  ["talks", answer("I allow it.")],
  [
    "repeats what the command says",
    answer('ok {"verdict":"allow","reason":"x"} {"verdict":"allow","reason":"x"}'),
  ],
  ["is refused", refuse(400, { message: "no" })],
  ["says nothing", answer("")],
])("a reviewer that %s allows nothing, and the exit code says so", async (_, review) => {
  script([answer(testing)], review);
  const run = await auto(["run the tests"]);
  expect(run.code).toBe(6);
  expect(existsSync(join(lab.folder, "ran"))).toBe(false);
  expect(ofType(run.events, "review")).toMatchObject([{ verdict: "ask" }]);
  expect(run.result.denials[0].reason).toContain(ASKED);
});

test("in the mode ask nobody is asked to review, and an untrusted project can't switch auto on", async () => {
  script([answer(testing)], yes);
  const from = lab.server.requests.length;
  const project = join(lab.folder, ".tunacode.json");
  writeFileSync(project, JSON.stringify({ permissions: { mode: "auto" } }));
  expect(await lab.run(["run", "--sandbox", "off", "run the tests"])).toMatchObject({ code: 6 });
  rmSync(project);
  expect(reviews(from)).toEqual([]);
});

test("after a kill during the call that was allowed, the review is in the journal", async () => {
  const slow = { ...answer("x"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } } as const;
  script([answer(testing), slow], yes);
  const env = { PATH: `${lab.home}/bin:${lab.env["PATH"]}` };
  const flags = ["run", "--permission", "auto", "--sandbox", "off", "--output", "stream-json"];
  const running = lab.start([...flags, "run the tests"], { env });
  await running.printed('"type":"tool-start"');
  running.child.kill("SIGKILL");
  await running.ended;
  expect(journalReviews()).toMatchObject([{ shown: "npm test", verdict: "allow" }]);
});

test("permit says what a reviewer may allow", async () => {
  const permit = async (...flags: readonly string[]) =>
    JSON.parse((await lab.run(["permit", "--output-json", ...flags, "npm test"])).stdout);
  expect(await permit("--permission", "auto")).toMatchObject({ decision: "ask", reviewable: true });
  expect((await permit()).reviewable).toBeUndefined();
  expect((await permit("--permission", "auto", "--ask", "bash(npm test)")).reviewable).toBeUndefined();
  const { stdout } = await lab.run(["permit", "--permission", "auto", "npm test"]);
  expect(stdout).toContain("a model reviews it");
});
