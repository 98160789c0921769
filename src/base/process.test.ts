import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { CAN_LIST_PROCESSES, survivors } from "../../test/support/living-processes.ts";
import { type ProcessRequest, runProcess } from "./process.ts";
import { settleProcesses } from "./process-endings.ts";
import { parsePs } from "./process-table.ts";

const never = new AbortController().signal;

async function bash(command: string, more: Partial<ProcessRequest> = {}) {
  const pieces: Uint8Array[] = [];
  const result = await runProcess({
    argv: ["/bin/bash", "-c", command],
    cwd: tmpdir(),
    signal: never,
    family: true,
    onOutput: (piece) => {
      pieces.push(piece.slice());
      return undefined;
    },
    ...more,
  });
  return { ...result, output: Buffer.concat(pieces).toString() };
}

describe("output", () => {
  test("both outputs arrive in the order they were written", async () => {
    const { output } = await bash("for i in 1 2 3; do echo out $i; echo err $i >&2; done");
    expect(output).toBe("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
  });

  test("the outputs can be reopened by name", async () => {
    expect((await bash("echo a > /dev/stdout; echo b > /dev/stderr")).output).toBe("a\nb\n");
  });

  test("the outputs are separate on request", async () => {
    let errors = "";
    const onErrorOutput = (piece: Uint8Array) => {
      errors += new TextDecoder().decode(piece);
      return undefined;
    };
    expect((await bash("echo a; echo b >&2", { onErrorOutput })).output).toBe("a\n");
    expect(errors).toBe("b\n");
  });

  test("input is empty by default", async () => {
    expect((await bash("cat; echo end")).output).toBe("end\n");
    expect((await bash("cat", { input: "hello" })).output).toBe("hello");
  });

  test("a flood does not grow memory", async () => {
    const before = process.memoryUsage.rss();
    let bytes = 0;
    const onOutput = (piece: Uint8Array) => {
      bytes += piece.length;
      return undefined;
    };
    await bash("head -c 1000000000 /dev/zero", { onOutput });
    expect(bytes).toBe(1_000_000_000);
    // If the output were kept, memory would grow by all of it. How much garbage is left by now depends on the engine.
    expect(process.memoryUsage.rss() - before).toBeLessThan(500_000_000);
  });

  test("no file stays open", async () => {
    await bash("true");
    const open = () => readdirSync("/dev/fd").length;
    const before = open();
    for (let call = 0; call < 10; call++) await bash("echo a; sleep 9 &");
    expect(open()).toBeLessThanOrEqual(before + 2);
  });
});

describe("the end", () => {
  test("exit code and signal", async () => {
    expect(await bash("exit 3")).toMatchObject({ end: "exited", exitCode: 3, signalName: null });
    expect(await bash("kill -9 $$")).toMatchObject({ end: "exited", exitCode: null, signalName: "SIGKILL" });
  });

  test("a program that doesn't exist is an error", async () => {
    expect(bash("", { argv: ["/no/such/program"] })).rejects.toThrow(/ENOENT/);
  });

  test("a handler can stop the process when it has read enough", async () => {
    expect(await bash("yes", { onOutput: () => "stop" })).toMatchObject({ end: "stopped" });
    expect(await bash("yes", { onOutput: () => "stop", family: false })).toMatchObject({ end: "stopped" });
  });

  test("a handler that fails ends the process, and its error is thrown", async () => {
    const onOutput = () => Promise.reject(new Error("disk full"));
    expect(bash("yes", { onOutput })).rejects.toThrow("disk full");
  });

  test("an abort before the start starts nothing", async () => {
    expect(bash("echo a", { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
  });
});

describe.skipIf(!CAN_LIST_PROCESSES)("no process is left behind", () => {
  const CHILDREN: Readonly<Record<string, string>> = {
    "in the background": "sleep 60 &",
    "in several generations": "(sleep 60 & (sleep 60 & (sleep 60 &))) &",
    "in their own session": "setsid sleep 60 &",
    "forked twice": "(setsid bash -c 'sleep 60 & disown' &)",
    "that ignore SIGTERM": "(trap '' TERM; while :; do sleep 1; done) &",
    "that ignore SIGTERM in their own session":
      "setsid bash -c \"trap '' TERM HUP; while :; do sleep 1; done\" &",
    "without our environment": "env -i sleep 60 &",
    "with job control": "set -m; sleep 60 & disown",
    "that write all the time": "yes &",
    "that are stopped": "sleep 60 & kill -STOP $!",
  };

  for (const [name, command] of Object.entries(CHILDREN))
    test(`children ${name}`, async () => {
      const TEST_RUN = randomUUID();
      const result = await bash(`${command}\necho done`, { env: { TEST_RUN }, timeoutMs: 10_000 });
      expect(result.end).toBe("exited");
      expect(result.endedInBackground).toBeGreaterThan(0);
      expect(result.output).toContain("done");
      expect(await survivors(TEST_RUN, 0)).toEqual([]);
    });

  test("daemons that are just starting and don't hold the pipe", async () => {
    // In the middle of an exec, or right after its parent ended, a process can't be recognised as ours, so one look is
    // not enough.
    const TEST_RUN = randomUUID();
    const daemons = ["setsid bash -c 'sleep 60 & disown'", "setsid setsid bash -c '(sleep 60 &)'"];
    for (let round = 0; round < 20; round++)
      await bash(`(${daemons[round % 2]} >/dev/null 2>&1 &)`, { env: { TEST_RUN }, timeoutMs: 10_000 });
    await sleep(50);
    expect(await survivors(TEST_RUN, 0)).toEqual([]);
  }, 30_000);

  test("an escaped process that holds the pipe is not waited for", async () => {
    // It cleared its environment, left the session and lost its parent, so nothing connects it to us.
    const escaping = "(env -i /usr/bin/setsid /bin/bash -c '(sleep 5 &)' &); sleep 0.3; echo done";
    const result = await bash(escaping, { timeoutMs: 10_000 });
    expect(result).toMatchObject({ end: "exited", output: "done\n" });
    expect(result.durationMs).toBeLessThan(4_000);
  });

  test("after a timeout", async () => {
    const TEST_RUN = randomUUID();
    const result = await bash("sleep 60 & setsid sleep 60", { env: { TEST_RUN }, timeoutMs: 100 });
    expect(result).toMatchObject({ end: "timed-out", signalName: "SIGTERM", endedInBackground: 0 });
    expect(await survivors(TEST_RUN, 0)).toEqual([]);
  });

  test("after an abort, which throws its reason without waiting", async () => {
    const TEST_RUN = randomUUID();
    const abort = new AbortController();
    const run = bash("trap '' TERM; setsid sleep 60 & while :; do sleep 1; done", {
      env: { TEST_RUN },
      signal: abort.signal,
    });
    await sleep(100);
    abort.abort(new Error("escape"));
    expect(run).rejects.toThrow("escape");
    await run.catch(() => {});
    await settleProcesses();
    expect(await survivors(TEST_RUN, 0)).toEqual([]);
  });
});

test("the output of ps is parsed, without zombies", () => {
  const list =
    "    1     0     1 Ss   /sbin/launchd\n  501     1   500 S+   sleep 60 A=1 TUNACODE_PROCESS=x.1;\n  502   501   500 Z    (sleep)\n";
  expect(parsePs(list).map(({ pid, parent, group }) => [pid, parent, group])).toEqual([
    [1, 0, 1],
    [501, 1, 500],
  ]);
  expect(parsePs(list)[1]?.environment()).toContain("TUNACODE_PROCESS=x.1;");
});
