// Diagnostics after an edit, with a language server found on a PATH made for the test.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createDiagnostics,
  type Diagnostics,
  type DiagnosticsPorts,
  diagnosticsPorts,
} from "../../src/tools/lsp/diagnostics.ts";
import { createFileTools, type FileTools } from "../support/file-tools.ts";

const SERVER = join(import.meta.dir, "../support/fake-language-server.ts");
const HOST = join(import.meta.dir, "../support/language-server-host.ts");
/** Generous: on a busy machine a process takes its time to start. */
const PATIENT_MS = 20_000;
const never = () => new AbortController().signal;

let project: FileTools;
let diagnostics: Diagnostics;

beforeEach(async () => {
  project = await createFileTools({ diagnostics: (path, signal) => diagnostics.check(path, signal) });
  await install("gopls");
  start();
});
afterEach(async () => {
  await diagnostics.close();
  await project[Symbol.asyncDispose]();
});

async function install(command: string): Promise<void> {
  await project.put(`bin/${command}`, `#!/bin/sh\nexec "${process.execPath}" "${SERVER}" "$@"\n`);
  await chmod(project.path(`bin/${command}`), 0o755);
}

function start(more: Partial<DiagnosticsPorts> = {}, environment: NodeJS.ProcessEnv = {}): void {
  const all = { ...process.env, FAKE_LOG: project.path("log"), PATH: project.path("bin"), ...environment };
  diagnostics = createDiagnostics(project.workspace, {
    ...diagnosticsPorts(all),
    waitMs: PATIENT_MS,
    ...more,
  });
}

async function logged(): Promise<string[]> {
  const text = await readFile(project.path("log"), "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

async function serverIds(): Promise<number[]> {
  const lines = await logged();
  return lines.filter((line) => line.startsWith("pid ")).map((line) => Number(line.slice(4)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let waited = 0; waited < 10_000 && isAlive(pid); waited += 50) await sleep(50);
  return !isAlive(pid);
}

describe("after an edit", () => {
  test("the server's findings are reported, errors first, with line and column", async () => {
    const outcome = await project.write({ filepath: "a.go", content: "fine\n  WARNING w\n\tERROR e\n" });
    expect(outcome).toEqual({
      failed: false,
      text: "Created a.go (26 bytes).\n\nProblems in this file now:\na.go:3:2 error: about ERROR e (fake 7)\na.go:2:3 warning: about WARNING w (fake 7)",
    });
  });

  test("a second edit is sent to the same server as a change, and the new answer is used", async () => {
    await project.write({ filepath: "a.go", content: "ERROR one\n" });
    const outcome = await project.update({ filepath: "a.go", old_text: "ERROR one", new_text: "ERROR two" });
    expect(outcome.text).toEndWith("a.go:1:1 error: about ERROR two (fake 7)");
    const healed = await project.update({ filepath: "a.go", old_text: "ERROR two", new_text: "fine" });
    expect(healed.text).not.toContain("Problems");
    expect(await logged()).toEqual([
      expect.stringMatching(/^pid/),
      "configuration [null,null]",
      "didOpen",
      "didChange",
      "didChange",
    ]);
  });

  test("an early empty answer is not the last word", async () => {
    const outcome = await project.write({ filepath: "a.go", content: "ERROR TWICE\n" });
    expect(outcome.text).toContain("a.go:1:1 error");
  });

  test("at most 10 lines, and how many more", async () => {
    const outcome = await project.write({ filepath: "a.go", content: "ERROR\n".repeat(25) });
    expect(outcome.text.match(/ error: /g)).toHaveLength(10);
    expect(outcome.text).toEndWith("And 15 more.");
  });

  test("every installed server for the language is asked", async () => {
    await Promise.all([install("ruff"), install("pyright-langserver")]);
    const outcome = await project.write({ filepath: "a.py", content: "ERROR\n" });
    expect(outcome.text.match(/a\.py:1:1 error/g)).toHaveLength(2);
  });
});

describe("an edit never waits for or fails because of a server", () => {
  const content = "SILENT\n";

  test("nothing is installed for the language", async () => {
    expect((await project.write({ filepath: "a.rs", content })).text).toBe("Created a.rs (7 bytes).");
    expect((await project.write({ filepath: "a.txt", content })).text).toBe("Created a.txt (7 bytes).");
    expect(await logged()).toEqual([]);
  });

  test("a server in a relative folder of the PATH is not run", async () => {
    start({ searchPath: ["bin", "./bin", ""].join(delimiter) });
    await project.write({ filepath: "a.go", content });
    expect(await logged()).toEqual([]);
  });

  test("it says nothing", async () => {
    start({ waitMs: 100 });
    expect((await project.write({ filepath: "a.go", content })).text).toBe("Created a.go (7 bytes).");
  });

  test("it starts slowly: this edit goes on without it, and the next one gets an answer", async () => {
    start({ waitMs: 100 }, { FAKE_START_MS: "500" });
    expect((await project.write({ filepath: "a.go", content: "ERROR\n" })).text).toBe(
      "Created a.go (6 bytes).",
    );
    let text = "";
    for (let round = 0; !text.includes("Problems") && round < 100; round++) {
      const [old_text, new_text] = [`ERROR${"!".repeat(round)}\n`, `ERROR${"!".repeat(round + 1)}\n`];
      text = (await project.update({ filepath: "a.go", old_text, new_text })).text;
    }
    expect(text).toContain("a.go:1:1 error");
    expect(await serverIds()).toHaveLength(1);
  });

  test("it can't start", async () => {
    start({}, { FAKE_START: "fail" });
    for (const name of ["a.go", "b.go", "c.go"])
      expect((await project.write({ filepath: name, content })).text).toStartWith("Created");
    expect(await serverIds()).toHaveLength(1);
  });

  test("it can't be executed", async () => {
    await project.put("bin/gopls", "#!/no/such/interpreter\n");
    expect((await project.write({ filepath: "a.go", content })).text).toBe("Created a.go (7 bytes).");
    await sleep(50);
  });

  test("it isn't a language server", async () => {
    await project.put("bin/gopls", "#!/bin/sh\necho hello; cat\n");
    start({ waitMs: 300 });
    expect((await project.write({ filepath: "a.go", content })).text).toBe("Created a.go (7 bytes).");
  });

  test("it crashes, and is started again for the next edit, but not forever", async () => {
    for (let round = 0; round < 6; round++)
      expect((await project.write({ filepath: `${round}.go`, content: "CRASH\n" })).failed).toBe(false);
    expect(await serverIds()).toHaveLength(3);
  });

  test("an abort ends the waiting at once, and the edit is reported as done", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    const started = performance.now();
    const outcome = await project.write({ filepath: "a.go", content }, abort.signal);
    expect(outcome.text).toBe("Created a.go (7 bytes).");
    expect(performance.now() - started).toBeLessThan(PATIENT_MS / 2);
  });
});

describe("servers end", () => {
  test("when they are closed", async () => {
    await project.write({ filepath: "a.go", content: "ERROR\n" });
    const [pid = 0] = await serverIds();
    expect(isAlive(pid)).toBe(true);
    await diagnostics.close();
    expect(await gone(pid)).toBe(true);
    expect(await logged()).toContain("shutdown");
  });

  test("when they are closed while they start", async () => {
    start({ waitMs: 50 }, { FAKE_START_MS: "100000" });
    await project.write({ filepath: "a.go", content: "ERROR\n" });
    let pid = 0;
    while (pid === 0) [pid = 0] = await serverIds();
    await diagnostics.close();
    expect(await gone(pid)).toBe(true);
  });

  test("when nothing is edited for a while", async () => {
    start({ idleMs: 200 });
    await project.write({ filepath: "a.go", content: "ERROR\n" });
    const [pid = 0] = await serverIds();
    expect(await gone(pid)).toBe(true);
  });

  test("when tunacode is killed with no chance to clean up", async () => {
    await project.put("a.go", "ERROR\n");
    const host = spawn(process.execPath, [HOST, project.root, project.path("bin"), project.path("a.go")], {
      env: { ...process.env, FAKE_LOG: project.path("log") },
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [line] = await once(host.stdout, "data");
      const { found, survivor } = JSON.parse(String(line));
      expect(found).toContain("a.go:1:1 error");
      const [pid = 0] = await serverIds();
      expect(isAlive(pid)).toBe(true);
      host.kill("SIGKILL");
      expect(await gone(pid)).toBe(true);
      expect(isAlive(survivor)).toBe(true);
      process.kill(survivor);
    } finally {
      host.kill("SIGKILL");
    }
  });
});

test("a check of a file outside the project starts nothing", async () => {
  await using outside = await createFileTools();
  await outside.put("a.go", "ERROR\n");
  expect(await diagnostics.check(outside.path("a.go"), never())).toBe(null);
  expect(await logged()).toEqual([]);
});
