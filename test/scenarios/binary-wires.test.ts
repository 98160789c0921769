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
    expect([stdout, child.exitCode]).toEqual(["There are three.\n", 0]);
    expect(stderr).not.toContain("could not be read");
    const requests = server.requests.slice(before);
    expect(requests.map(({ wire, problems }) => [wire, problems])).toEqual([
      [api, []],
      [api, []],
    ]);
    expect(requests[1]?.text).toContain("three tuna");
  });
