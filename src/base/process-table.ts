// Lists the processes of this machine that started after a given moment.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { failureCode } from "./failure-code.ts";
import { SYSTEM_PATH } from "./system-path.ts";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 if the system doesn't report it. */
  readonly session: number;
  /** Its initial environment. Empty in the middle of an exec and after its end; null if we may not read it. */
  readonly environment: () => string | null;
}

interface ProcessLook {
  readonly entries: readonly ProcessEntry[];
  /** Processes that ended before we could inspect them. Their children may have started too late to be listed. */
  readonly ended: readonly number[];
}

/** A time in the process table's unit. */
export type ProcessMoment = number;

/** Linux counts start times in hundredths of a second since boot. */
const TICKS_PER_SECOND = 100;
/** Tolerance for rounding, because the table and the uptime are not read at the same instant. */
const ROUNDING_TICKS = 5;
/** Reading this many takes a few milliseconds; then the event loop gets its turn. */
const SLICE = 200;
const STOPPED_BEING = /^[ZX]/;

export function processMoment(): ProcessMoment {
  if (process.platform !== "linux") return 0;
  const uptime = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
  return Math.floor(uptime * TICKS_PER_SECOND) - ROUNDING_TICKS;
}

/** Leaves out zombies, which hold no resources and can't be signalled, and kernel threads. */
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
    // The name in parentheses may itself contain parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "Z", parent, group, session] = fields;
    // Older processes can't be ours, and reading the environment of a hung process could block.
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

/** The process id of their common parent. */
const KERNEL_THREADS = "2";

/** Field 22 of proc_pid_stat(5), counted from the state, which is field 3. */
const START_TIME = 19;

/** "" if the process has ended, null if it belongs to another user. Both are normal. */
function readEntry(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    return failureCode(error) === "EACCES" ? null : "";
  }
}

/** For macOS and the BSDs. ps shows the environment only of our own processes, and not of Apple's hardened ones. */
async function listFromPs(): Promise<ProcessLook> {
  const args = ["-axEww", "-o", "pid=,ppid=,pgid=,stat=,command="];
  return await new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024, env: { PATH: SYSTEM_PATH } };
    execFile("ps", args, options, (_error, output) => resolve({ entries: parsePs(output), ended: [] }));
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
