// The processes of this machine, as far as they concern us: those that started after a given moment.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system doesn't tell. */
  readonly session: number;
  /** As it was at its start. Empty in the middle of an exec and after its end; null where it is not for us to read. */
  readonly environment: () => string | null;
}

export interface ProcessLook {
  readonly entries: readonly ProcessEntry[];
  /** These were there and ended before they were looked at. Their children may have begun too late to be seen. */
  readonly ended: readonly number[];
}

/** A moment in the clock of the process table. */
export type ProcessMoment = number;

/** Linux counts in hundredths of a second since boot. */
const TICKS_PER_SECOND = 100;
/** Kept free for rounding: the table and the uptime are not read at the same instant. */
const ROUNDING_TICKS = 5;
/** Enough for a few milliseconds; then others get their turn. */
const SLICE = 200;
const STOPPED_BEING = /^[ZX]/;

export function processMoment(): ProcessMoment {
  if (process.platform !== "linux") return 0;
  const uptime = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
  return Math.floor(uptime * TICKS_PER_SECOND) - ROUNDING_TICKS;
}

/** Zombies are left out: they hold nothing and can't be signalled. Kernel threads are nobody's. */
export async function listProcesses(since: ProcessMoment): Promise<ProcessLook> {
  return process.platform === "linux" ? await listFromProc(since) : await listFromPs();
}

async function listFromProc(since: ProcessMoment): Promise<ProcessLook> {
  const entries: ProcessEntry[] = [];
  const ended: number[] = [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  for (const [index, pid] of pids.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const stat = readEntry(`/proc/${pid}/stat`) ?? "";
    // The name in parentheses may hold anything, parentheses included.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "Z", parent, group, session] = fields;
    // Older ones can't be ours, and reading a stuck stranger's environment could block us.
    if (Number(fields[START_TIME]) < since || parent === KERNEL_THREADS) continue;
    if (stat === "" || STOPPED_BEING.test(state)) {
      ended.push(Number(pid));
      continue;
    }
    entries.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      environment: () => readEntry(`/proc/${pid}/environ`),
    });
  }
  return { entries, ended };
}

/** Their common parent. */
const KERNEL_THREADS = "2";

/** Field 22 of proc_pid_stat(5), counted from the state, which is field 3. */
const START_TIME = 19;

/** A process may end, or belong to somebody else, between two looks: both are ordinary. */
function readEntry(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    const isForeign = error instanceof Error && "code" in error && error.code === "EACCES";
    return isForeign ? null : "";
  }
}

/** macOS and the BSDs. The environment is shown only for our own processes, and not for Apple's hardened ones. */
async function listFromPs(): Promise<ProcessLook> {
  const args = ["-axEww", "-o", "pid=,ppid=,pgid=,stat=,command="];
  return await new Promise((resolve) => {
    execFile("ps", args, { maxBuffer: 64 * 1024 * 1024 }, (_error, output) =>
      resolve({ entries: parsePs(output), ended: [] }),
    );
  });
}

export function parsePs(output: string): ProcessEntry[] {
  return output.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = "", command = ""] = match;
    if (STOPPED_BEING.test(state)) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      environment: () => command,
    };
  });
}
