// The built program on every wire, from question to answer with a tool call and a thought in between: minified and split
// into chunks, the vendors' packages still have to say what they say when the sources run.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CopiedBinary, copyBinary } from "../support/binary.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer, call, text, thought } from "../support/strict-llm-server/turn.ts";
import { TEST_KEY } from "../support/vendor-path.ts";

const DEADLINE_MS = 30_000;
const WIRES = [
  { api: "openai-chat", path: "/v1" },
  { api: "openai-responses", path: "/v1" },
  { api: "anthropic", path: "/v1" },
  { api: "google", path: "/v1beta" },
] as const;

let binary: CopiedBinary;
let server: StrictServer;

beforeAll(async () => {
  binary = await copyBinary();
  server = await startStrictServer();
  const home = dirname(binary.path);
  mkdirSync(join(home, ".config"), { recursive: true });
  const providers = Object.fromEntries(
    WIRES.map(({ api, path }) => [api, { api, base_url: server.url + path, api_key_env: "TEST_KEY" }]),
  );
  writeFileSync(join(home, ".config", "tunacode.json"), JSON.stringify({ providers }));
  writeFileSync(join(binary.folder, "a.txt"), "three tuna\n");
}, 60_000);

afterAll(async () => {
  await server.stop();
  binary.remove();
});

for (const { api } of WIRES)
  test(`${api}: asked, read, answered`, async () => {
    server.script([
      answer(thought("Let me look."), call("read_file", { filepath: "a.txt" }, { deltas: 3 })),
      answer(text("There are three.", ["There ", "are ", "three."])),
    ]);
    const { stdout, stderr, exitCode, requests } = await run(api);
    expect([stdout, exitCode]).toEqual(["There are three.\n", 0]);
    expect(stderr).not.toContain("could not be read");
    expect(requests.map(({ wire, problems }) => [wire, problems])).toEqual([
      [api, []],
      [api, []],
    ]);
    expect(requests[1]?.text).toContain("three tuna");
  });

for (const { api } of WIRES)
  test(`${api}: calls that are nearly right are run, and one that is cut off is explained`, async () => {
    server.script([
      answer(call("read_file", "{'filepath': 'a.txt', 'limit': '5',}")),
      answer(
        text("<function=read_file>\n<parameter=filepath>\na.txt\n</parameter>\n</function>\n</tool_call>"),
      ),
      answer(text('[TOOL_CALLS]read_file[ARGS]{"filepath": "a.txt"}')),
      answer(text('<tool_call>{"name": "read_file", "arguments": {"filepath": "a.t')),
      answer(text("Three.")),
    ]);
    const { stdout, exitCode, requests } = await run(api);
    expect([stdout, exitCode]).toEqual(["Three.\n", 0]);
    expect(requests.map(({ problems }) => problems)).toEqual([[], [], [], [], []]);
    expect(requests.map(({ text }) => text.split("three tuna").length - 1)).toEqual([0, 1, 2, 3, 3]);
    expect(requests[4]?.text).toContain("What you wrote as a tool call was not run: its JSON can't be read");
  });

async function run(api: string) {
  const before = server.requests.length;
  const child = Bun.spawn([binary.path, "run", "--model", `${api}:some-model`, "How many?"], {
    cwd: binary.folder,
    env: { HOME: dirname(binary.path), TEST_KEY },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: DEADLINE_MS,
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode: child.exitCode, requests: server.requests.slice(before) };
}
