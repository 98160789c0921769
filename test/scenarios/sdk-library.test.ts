// The library as another project uses it: its exports, the examples, and the agent's tools, on every runtime of this
// machine.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/build.ts";
import { buildLibraryIfStale, LIBRARY } from "../../scripts/sdk.ts";
import { runProgram } from "../support/run-program.ts";
import { libraryRuntimes } from "../support/runtimes.ts";
import { startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

let folder = "";
beforeAll(async () => {
  await buildLibraryIfStale();
  folder = mkdtempSync(join(tmpdir(), "tunacode-library-"));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it exports the contract's names", async () => {
  const library = await import(join(LIBRARY, "sdk.js"));
  const functions = [
    "processRequest",
    "processNode",
    "runRequest",
    "prepareHistory",
    "checkHistory",
    "decodeMessages",
    "encodeMessages",
    "latestAnswer",
    "openAgent",
    "memoryStateManager",
    "createModel",
    "scriptedModel",
    "ResponseState",
    "ToolCallRegistry",
    "UserAbortError",
    "GlobalRequestTimeoutError",
  ];
  for (const name of functions) expect([name, typeof library[name]]).toEqual([name, "function"]);
  expect(library.INTERRUPTED).toBe("[INTERRUPTED]");
  const names = [
    new library.UserAbortError(),
    new library.ConfigError("x"),
    new library.ProviderError("auth", "x"),
  ];
  expect(names.map(({ name }) => name)).toEqual(["UserAbortError", "ConfigError", "ProviderError"]);
});

test("a runtime that is too old gets an error that says so", async () => {
  const older =
    "delete Promise.withResolvers; await import(process.argv[1]).catch((error) => console.log(error.message))";
  const { stdout } = await runProgram([process.execPath, "-e", older, join(LIBRARY, "sdk.js")], {
    cwd: folder,
  });
  expect(stdout).toStartWith("The library of tunacode needs Node 22 or newer, or Bun.");
});

for (const { name, path } of libraryRuntimes())
  describe(`on ${name}`, () => {
    test("the example with a custom tool", async () => {
      const ended = await runProgram([path, join(ROOT, "examples", "own-tool.mjs")], { cwd: folder });
      expect(ended).toEqual({
        code: 0,
        stdout: "fish_count completed: tuna: 12\nThere are 12 tuna in stock.\nviolations: 0\n",
        stderr: "",
      });
    });

    test("the example that takes back what a request changed", async () => {
      const ended = await runProgram([path, join(ROOT, "examples", "take-back.mjs")], { cwd: folder });
      const said = [
        "1. Note that we have 12 tuna. +1 -0",
        "1 file taken back; there now: false",
        "redone; there now: true",
      ];
      expect(ended).toEqual({ code: 0, stdout: `${said.join("\n")}\n`, stderr: "" });
    });

    test("the example that asks a model about a project", async () => {
      writeFileSync(join(folder, "fish.txt"), "tuna\n");
      const server = await startStrictServer({
        script: [answer(call("grep", { pattern: "tuna" })), answer("It is about tuna.")],
      });
      try {
        const env = {
          HOME: folder,
          OPENAI_API_KEY: "sk-library-example-key",
          OPENAI_BASE_URL: `${server.url}/v1`,
        };
        const ended = await runProgram([path, join(ROOT, "examples", "ask.mjs"), "What is it about?"], {
          cwd: folder,
          env,
        });
        expect(ended).toEqual({
          code: 0,
          stdout: "It is about tuna.\n(completed)\n",
          stderr: '[grep {"pattern":"tuna"}]\n',
        });
        expect(server.requests.map(({ problems }) => problems)).toEqual([[], []]);
        expect(server.requests[1]?.text).toContain("fish.txt");
      } finally {
        await server.stop();
      }
    });

    test("the agent's tools work, and its session is kept", async () => {
      const program = join(folder, "agent.mjs");
      writeFileSync(program, AGENT_PROGRAM);
      const project = mkdtempSync(join(folder, "project-"));
      writeFileSync(join(project, "a.txt"), "hello\n");
      const env = { HOME: folder, LIBRARY: join(LIBRARY, "sdk.js") };
      const { code, stdout, stderr } = await runProgram([path, program], { cwd: project, env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(JSON.parse(stdout)).toEqual([
        ["list_dir", "completed", "./"],
        ["glob", "completed", "a.txt"],
        ["grep", "completed", "a.txt"],
        ["read_file", "completed", "1\thello"],
        ["bash", "completed", "out"],
        ["bash", "failed", "(no output)"],
        ["update_file", "completed", "Updated a.txt at 1 place."],
        ["resumed", 4],
      ]);
      expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("bye\n");
    });
  });

/** Runs one request with every kind of tool, closes the session and resumes it. */
const AGENT_PROGRAM = `
const { contentText, openAgent, processRequest, scriptedModel } = await import(process.env.LIBRARY);
const calls = [
  ["list_dir", {}],
  ["glob", { pattern: "**/{a,b}.*" }],
  ["grep", { pattern: "hel" }],
  ["read_file", { filepath: "a.txt" }],
  ["bash", { command: "echo out; echo err >&2; cat a.txt" }],
  ["bash", { command: "sleep 60", timeout: 0.2 }],
  ["update_file", { filepath: "a.txt", old_text: "hello", new_text: "bye" }],
];
const model = scriptedModel({ turns: [calls.map(([call, args]) => ({ call, args })), [{ text: "done" }]] });
const open = (session) => openAgent({
  cwd: process.cwd(), env: process.env, session, models: { scripted: model }, trusted: false,
  permission: { mode: "yolo", rules: [], sandbox: "off" }, notify: console.error,
});
const agent = await open({ type: "new" });
const run = await processRequest("go", model, agent.manager);
await agent.close();
const returns = run.allMessages().flatMap((message) => message.parts).filter((part) => part.kind === "tool-return");
const again = await open({ type: "resume", id: agent.manager.session.sessionId });
await again.close();
console.log(JSON.stringify([
  ...returns.map((part) => [part.toolName, part.status ?? "completed", contentText(part.content).split("\\n")[0]]),
  ["resumed", again.manager.session.conversation.messages.length],
]));
`;
