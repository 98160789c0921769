// Aborts commands that resist being ended at random moments, and kills their hosts with -9. No process may be left.
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { settleProcesses } from "../../src/base/process-endings.ts";
import { bash } from "../../src/tools/bash.ts";
import { boundTool } from "../support/bound-tool.ts";
import { CAN_LIST_PROCESSES, livingWith, survivors } from "../support/living-processes.ts";
import { runTool } from "../support/run-tool.ts";
import { tempWorkspace } from "../support/temp-workspace.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const CALLS = LONG ? 1_000 : 100;
const KILLED_HOSTS = LONG ? 100 : 10;
const AT_ONCE = 25;
/** How soon after an abort a call has to return and its processes have to be gone. */
const SETTLE_MS = 2_000;
const TIMEOUT_SECONDS = 0.4;

const COMMANDS = [
  "sleep 60",
  "sleep 60 & sleep 60 & wait",
  "for i in 1 2 3 4 5; do (sleep 60 &) ; done; sleep 60",
  "setsid sleep 60 & sleep 60",
  "(setsid bash -c 'sleep 60 & sleep 60' &); sleep 60",
  "setsid setsid bash -c 'exec -a innocent sleep 60' & sleep 60",
  "trap '' TERM HUP INT; while :; do sleep 1; done",
  "setsid bash -c \"trap '' TERM HUP; while :; do sleep 0.1; done\" & trap '' TERM; while :; do sleep 0.1; done",
  "yes",
  "yes | tee /dev/stderr",
  "cat /dev/urandom",
  "setsid yes & yes >&2",
  "read line; cat; sleep 60",
  "cat /dev/tty; sleep 60",
  "while :; do (sleep 0.05 &) ; done",
  "sleep 60 & kill -STOP $!; kill -STOP $$",
  "nohup sleep 60 >/dev/null 2>&1 & disown; sleep 60",
  "set -m; sleep 60 & sleep 60 & sleep 60",
  "exec 1>&- 2>&-; sleep 60",
  "sleep 60 & exit 0",
];

const TEST_RUN = randomUUID();
const commandAt = (index: number) => COMMANDS[index % COMMANDS.length] ?? "";

describe.skipIf(!CAN_LIST_PROCESSES)("no process survives", () => {
  const workspace = tempWorkspace();
  afterAll(() => workspace[Symbol.dispose]());
  const tool = boundTool(bash, {
    workspace,
    spillFolder: async () => workspace.root,
    mask: (text) => text,
  });

  /** Stops a call before it starts, in the middle, or by its timeout. Returns how long it took to end after that. */
  async function stoppedCall(index: number): Promise<number> {
    const abort = new AbortController();
    const delay = index % 3 === 0 ? 0 : (index * 37) % 300;
    const isAborted = index % 4 !== 3;
    const args = { command: commandAt(index), timeout: TIMEOUT_SECONDS, env: { TEST_RUN } };
    const startedAt = performance.now();
    const run = runTool(tool, args, abort.signal).catch(() => null);
    if (isAborted) {
      await sleep(delay);
      abort.abort(new Error("escape"));
    }
    await run;
    return performance.now() - startedAt - (isAborted ? delay : TIMEOUT_SECONDS * 1_000);
  }

  test(`${CALLS} stopped calls`, async () => {
    const late: string[] = [];
    for (let first = 0; first < CALLS; first += AT_ONCE) {
      const indexes = Array.from({ length: AT_ONCE }, (_, offset) => first + offset);
      const took = await Promise.all(indexes.map(stoppedCall));
      for (const [offset, ms] of took.entries())
        if (ms > SETTLE_MS) late.push(`${commandAt(first + offset)}: ${ms.toFixed(0)} ms`);
      await settleProcesses();
    }
    expect(late).toEqual([]);
    expect(await survivors(TEST_RUN, 0)).toEqual([]);
  }, 300_000);

  test(`${KILLED_HOSTS} killed hosts`, async () => {
    const hosts = Array.from({ length: KILLED_HOSTS }, (_, index) => index * 2 + 1);
    for (let first = 0; first < hosts.length; first += AT_ONCE)
      await Promise.all(hosts.slice(first, first + AT_ONCE).map(killHost));
  }, 300_000);

  async function killHost(index: number): Promise<void> {
    const mark = randomUUID();
    const script = join(import.meta.dir, "..", "support", "tool-host.ts");
    const args = JSON.stringify({ command: `echo up; ${commandAt(index)}` });
    const host = spawn(process.execPath, [script, "bash", args], {
      cwd: workspace.root,
      env: { ...process.env, TEST_RUN: mark },
      stdio: "ignore",
    });
    // Matches the arguments of the host and, once it runs, of its shell.
    const isUp = () => livingWith(mark).filter((line) => line.includes("echo up")).length >= 2;
    while (!isUp() && host.exitCode === null) await sleep(10);
    await sleep((index * 23) % 100);
    host.kill("SIGKILL");
    expect({ command: commandAt(index), left: await survivors(mark, SETTLE_MS + 1_000) }).toEqual({
      command: commandAt(index),
      left: [],
    });
  }
});
