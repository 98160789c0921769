// Lists the running processes that have a given text in their environment. Linux only.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export const CAN_LIST_PROCESSES = process.platform === "linux";

export function livingWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(text))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()}`);
}

/** Waits until none are left. Ends those still alive after the time limit and returns them. */
export async function survivors(text: string, withinMs: number): Promise<string[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const living = livingWith(text);
    if (living.length === 0) return living;
    if (performance.now() > deadline) {
      // A process that escaped must not stay on the machine that runs the tests.
      for (const line of living) end(Number.parseInt(line, 10));
      return living;
    }
    await sleep(20);
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // It ended after it was listed.
    return "";
  }
}
