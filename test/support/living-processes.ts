// Which processes are alive that were started with a given text in their environment. Linux only.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export const CAN_LIST_PROCESSES = process.platform === "linux";

export function livingWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(text))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()}`);
}

/** Those still alive after the time is over, ended then; empty as soon as there are none. */
export async function survivors(text: string, withinMs: number): Promise<string[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const living = livingWith(text);
    if (living.length === 0) return living;
    if (performance.now() > deadline) {
      // What escaped us must not stay on the machine of whoever runs the tests.
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
    // It ended by itself after all.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // It ended between two looks.
    return "";
  }
}
