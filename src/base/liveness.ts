// Tells whether a recorded process is still running. A process id alone is not enough, because ids are reused.

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { failureCode } from "./failure-code.ts";
import { SYSTEM_PATH } from "./system-path.ts";

export interface ProcessIdentity {
  readonly pid: number;
  /** The start time of the process in the system's format; "" if unknown. */
  readonly started: string;
  readonly host: string;
  /** Changes with every boot of the machine; "" if unknown. */
  readonly boot: string;
  /** The PID namespace: containers have their own process ids. */
  readonly namespace: string;
}

/** `elsewhere` means another machine or container, whose processes can't be seen from here. */
type Liveness = "running" | "stopped" | "dead" | "elsewhere";

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    started: inspect(process.pid)?.started ?? "",
    host: hostname(),
    boot: attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? "",
    namespace: attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "",
  };
  return own;
}

export function liveness(other: ProcessIdentity): Liveness {
  const self = ownIdentity();
  if (other.host !== self.host) return "elsewhere";
  if (other.boot !== self.boot) return "dead";
  if (other.namespace !== self.namespace) return "elsewhere";
  if (!exists(other.pid)) return "dead";
  const found = inspect(other.pid);
  if (found === undefined) return "running";
  if (other.started !== "" && found.started !== other.started) return "dead";
  // Z is a zombie: it has ended, but its parent has not read the exit code yet.
  if (found.state.startsWith("Z") || found.state.startsWith("X")) return "dead";
  return found.state.toUpperCase().startsWith("T") ? "stopped" : "running";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return failureCode(error) === "EPERM";
  }
}

interface Inspected {
  readonly started: string;
  readonly state: string;
}

function inspect(pid: number): Inspected | undefined {
  return process.platform === "linux" ? inspectProc(pid) : inspectPs(pid);
}

/** The name in parentheses may contain anything, so fields are counted from the last ")": 3 state, 22 start time. */
function inspectProc(pid: number): Inspected | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

function inspectPs(pid: number): Inspected | undefined {
  // Loaded lazily, because systems with /proc don't need it.
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const output = attempt(() =>
    execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { PATH: SYSTEM_PATH, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 2_000,
    }),
  );
  const [state = "", ...started] = output?.trim().split(/\s+/) ?? [];
  return output === undefined ? undefined : { state, started: started.join(" ") };
}

/** Undefined if the process is gone, or if the system doesn't have what is read. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
