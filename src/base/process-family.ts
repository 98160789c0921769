// A process tree, including processes that detached from it: found by session, group, marker and descent, and ended
// together.
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses, type ProcessEntry, type ProcessMoment, processMoment } from "./process-table.ts";

/** Every member inherits this variable and keeps it even after it left our session and lost its parent. */
export const MARKER_VARIABLE = "TUNACODE_PROCESS";

/** The prefix of the marks of all families that this process starts. */
export const OWN_MARK = `${crypto.randomUUID()}.`;

/** How long a family has to exit after SIGTERM. */
const GRACE_MS = 500;
/** After this we give up. */
const END_WITHIN_MS = 2_000;
const FIRST_LOOK_MS = 5;
const LOOK_EVERY_MS = 50;
/** A process in the middle of an exec, or whose parent has just ended, can be recognised only a few looks later. */
const LOOKS_IN_DOUBT = 6;

export interface Family {
  readonly mark: string;
  readonly since: ProcessMoment;
}

let families = 0;

export function newFamily(): Family {
  return { mark: `${OWN_MARK}${++families};`, since: processMoment() };
}

/** Marks accumulate: inside another tunacode, our children also belong to its family. */
export function markerValue(family: Family): string {
  return `${process.env[MARKER_VARIABLE] ?? ""}${family.mark}`;
}

/** Sends SIGTERM, then SIGKILL. Returns how many processes were alive, including the leader. */
export async function endFamily(leader: number, family: Family): Promise<number> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const found = new Set<number>();
  const ended = new Set<number>();
  let emptyLooks = 0;
  for (let pause = FIRST_LOOK_MS; elapsed() < END_WITHIN_MS; pause = Math.min(pause * 2, LOOK_EVERY_MS)) {
    const { members, inDoubt } = await lookForFamily(leader, family, ended);
    emptyLooks = members.length === 0 ? emptyLooks + 1 : 0;
    // After a member was found, one empty look proves nothing: the last one may have forked while the list was read.
    if (emptyLooks >= (inDoubt ? LOOKS_IN_DOUBT : found.size > 0 ? 2 : 1)) break;
    const newcomers = members.filter((pid) => !found.has(pid));
    for (const pid of newcomers) found.add(pid);
    // Each gets SIGTERM only once, because a second one could interrupt its cleanup.
    if (elapsed() > GRACE_MS) signalAll(members, "SIGKILL");
    else signalAll(newcomers, "SIGTERM");
    await sleep(pause);
  }
  return found.size;
}

interface FamilyLook {
  readonly members: readonly number[];
  /** A member may have been missed, because its environment is not visible yet or its parent has just ended. */
  readonly inDoubt: boolean;
}

/** `ended` collects the processes that are known to have ended. */
async function lookForFamily(leader: number, family: Family, ended: Set<number>): Promise<FamilyLook> {
  const members = new Set<number>();
  const look = await listProcesses(family.since);
  const someEnded = look.ended.some((pid) => !ended.has(pid));
  for (const pid of look.ended) ended.add(pid);
  let candidates = look.entries.filter(({ pid }) => pid !== process.pid);
  let isUnclear = false;
  const isMember = (entry: ProcessEntry) => {
    if (entry.group === leader || entry.session === leader || members.has(entry.parent)) return true;
    const environment = entry.environment();
    isUnclear ||= environment === "";
    return environment?.includes(family.mark) ?? false;
  };
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    const { inside = [], outside = [] } = Object.groupBy(candidates, (entry) =>
      isMember(entry) ? "inside" : "outside",
    );
    for (const { pid } of inside) members.add(pid);
    candidates = outside;
  }
  return { members: [...members], inDoubt: isUnclear || someEnded };
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process is already gone or belongs to another user.
    }
  }
}
