// Runs the session driver as a child process and collects its output.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ReadSession, readSession } from "../../src/session/open.ts";
import { listSessions } from "../../src/session/store.ts";

const DRIVER = join(import.meta.dir, "session-driver.ts");

export interface Driven {
  readonly child: ChildProcess;
  /** Its output so far, line by line. */
  readonly lines: string[];
  readonly done: Promise<{ readonly code: number | null; readonly errors: string }>;
}

export function drive(folder: string, turns: number, ...flags: string[]): Driven {
  const child = spawn(process.execPath, [DRIVER, folder, String(turns), ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  const lines: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const whole = output.split("\n");
    output = whole.pop() ?? "";
    lines.push(...whole);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const done = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, errors }));
  });
  return { child, lines, done };
}

/** The words in a driver's output, which a person had seen. */
export function wordsSeen(lines: readonly string[]): string[] {
  return lines.filter((line) => line.endsWith("."));
}

export async function newestSession(folder: string): Promise<ReadSession | undefined> {
  const [newest] = await listSessions(folder, { limit: 1 });
  return newest === undefined ? undefined : readSession(newest.paths);
}

export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-session-"));
  try {
    return await work(join(folder, "sessions"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function waitFor(what: string, condition: () => boolean, deadlineMs = 20_000): Promise<void> {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > deadlineMs) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
