// Makes sure that the program that was measured is the one that keeps its promises: nothing is fast because it was
// left out. The journal was synced, a request with a bad shape is held back, a denied call is not run.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../../scripts/build.ts";
import { WireGateError } from "../../src/domain/error.ts";
import { resolveProvider } from "../../src/models/resolve-provider.ts";
import { createSend } from "../../src/models/send.ts";
import type { ModelServer } from "./model-server-process.ts";
import { PROMPT } from "./programs.ts";
import type { Workplace } from "./workplace.ts";

interface Ground {
  readonly server: ModelServer;
  readonly workplace: Workplace;
}

/** Throws where a check did not happen. */
export async function assertChecked(ground: Ground): Promise<void> {
  assertSaved(ground.workplace);
  assertSynced(ground);
  await assertGated();
  assertPermitted(ground);
}

/** Every run left a journal whose last record says that the request ended, and a snapshot. */
function assertSaved({ sessions }: Workplace): void {
  const files = readdirSync(sessions);
  const journals = files.filter((file) => file.endsWith(".jsonl"));
  require(journals.length > 0, "no run left a journal");
  for (const journal of journals) {
    const lines = readFileSync(join(sessions, journal), "utf8").trimEnd().split("\n");
    require(lines.some((line) => line.includes('"kind":"prompt"')), `${journal} has no prompt`);
    require(lines.at(-1)?.includes('"kind":"end"') === true, `${journal} has no end`);
    require(files.includes(journal.replace(/l$/, "")), `${journal} has no snapshot`);
  }
}

/** The prompt's file and its folder before anything is sent, then the answer, then the snapshot. */
const SYNCS_BEFORE_SENDING = 2;
const FEWEST_SYNCS = 4;

function assertSynced(ground: Ground): void {
  const strace = spawnSync("strace", ["-V"]);
  if (strace.error !== undefined) {
    console.log("strace is not installed: that syncs happen is shown by the journal alone");
    return;
  }
  const { stderr } = start(
    ground,
    ["strace", "-f", "-e", "trace=fsync,fdatasync,sendto,sendmsg,write"],
    "line",
  );
  const calls = stderr.split("\n");
  const countSyncs = (some: readonly string[]) =>
    some.filter((call) => /\b(fsync|fdatasync)\(/.test(call)).length;
  require(countSyncs(calls) >= FEWEST_SYNCS, `only ${countSyncs(calls)} syncs in a turn`);
  const sent = calls.findIndex((call) => call.includes("POST /"));
  const before = countSyncs(calls.slice(0, Math.max(0, sent)));
  require(before >= SYNCS_BEFORE_SENDING, "the request was sent before the prompt was safe");
}

/** The program was built from these sources, and nothing reaches the network but through this. */
async function assertGated(): Promise<void> {
  let sent = 0;
  const settings = { env: {}, baseUrl: "http://127.0.0.1:9/v1" };
  const send = createSend({
    context: { provider: resolveProvider("openai", settings), model: "line", mask: (text) => text },
    network: async () => {
      sent++;
      return new Response();
    },
    calls: new WeakMap(),
  });
  const body = JSON.stringify({
    model: "line",
    messages: [{ role: "tool", tool_call_id: "a", content: "" }],
  });
  const failure = await send("http://127.0.0.1:9/v1/chat/completions", { method: "POST", body }).catch(
    (error: unknown) => error,
  );
  require(failure instanceof WireGateError && sent === 0, "a request with a bad shape passed the wire gate");
}

function assertPermitted(ground: Ground): void {
  const denied = start(ground, [], "calls-1", ["--output", "json", "--deny", "read_file"]);
  const allowed = start(ground, [], "calls-1", ["--output", "json"]);
  require(callStatus(denied.stdout) === "failed", "a denied call was run");
  require(callStatus(allowed.stdout) === "completed", "an allowed call was not run");
}

function callStatus(output: string): string {
  return JSON.parse(output).tool_calls[0]?.status ?? "missing";
}

function start(
  { server, workplace }: Ground,
  wrapper: readonly string[],
  model: string,
  flags: readonly string[] = [],
) {
  const args = ["run", "--model", `openai:${model}`, "--base-url", server.baseUrl, ...flags, PROMPT];
  const [program = BINARY, ...rest] = [...wrapper, BINARY, ...args];
  const { project: cwd, env } = workplace;
  return spawnSync(program, rest, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
}

function require(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(`The measured program does not do its work: ${otherwise}.`);
}
