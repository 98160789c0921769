// A process and everything it started: found by session, group, marker and descent, and ended together.
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses, type ProcessEntry, type ProcessMoment, processMoment } from "./process-table.ts";

/** Every member carries it in its environment, also after it left our session and lost its parent. */
export const MARKER_VARIABLE = "TUNACODE_PROCESS";

/** All families of this process begin their mark with it. */
export const OWN_MARK = `${crypto.randomUUID()}.`;

/** How long a family may take to end on its own after TERM. */
const GRACE_MS = 500;
/** After that we have done what can be done. */
const END_WITHIN_MS = 2_000;
const FIRST_LOOK_MS = 5;
const LOOK_EVERY_MS = 50;
/** Who can't be recognised in one look, because it is in the middle of an exec or its parent has just ended, can be soon. */
const LOOKS_IN_DOUBT = 6;

export interface Family {
  readonly mark: string;
  readonly since: ProcessMoment;
}

let families = 0;

export function newFamily(): Family {
  return { mark: `${OWN_MARK}${++families};`, since: processMoment() };
}

/** Marks add up: run inside another tunacode, our children are that one's, too. */
export function markerValue(family: Family): string {
  return `${process.env[MARKER_VARIABLE] ?? ""}${family.mark}`;
}

/** TERM, then KILL. Returns how many were found alive, the leader included. */
export async function endFamily(leader: number, family: Family): Promise<number> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const found = new Set<number>();
  const ended = new Set<number>();
  let emptyLooks = 0;
  for (let pause = FIRST_LOOK_MS; elapsed() < END_WITHIN_MS; pause = Math.min(pause * 2, LOOK_EVERY_MS)) {
    const { members, inDoubt } = await lookForFamily(leader, family, ended);
    emptyLooks = members.length === 0 ? emptyLooks + 1 : 0;
    // Where there were some, one empty look is no proof: the last may have forked while the list was read.
    if (emptyLooks >= (inDoubt ? LOOKS_IN_DOUBT : found.size > 0 ? 2 : 1)) break;
    const newcomers = members.filter((pid) => !found.has(pid));
    for (const pid of newcomers) found.add(pid);
    // TERM once each: who is about to end should not be interrupted again.
    if (elapsed() > GRACE_MS) signalAll(members, "SIGKILL");
    else signalAll(newcomers, "SIGTERM");
    await sleep(pause);
  }
  return found.size;
}

interface FamilyLook {
  readonly members: readonly number[];
  /** One may have been missed: it shows no environment yet, or its parent ended meanwhile. */
  readonly inDoubt: boolean;
}

/** `ended`: known to have ended in an earlier look; added to. */
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
    const [inside, outside] = partition(candidates, isMember);
    for (const { pid } of inside) members.add(pid);
    candidates = outside;
  }
  return { members: [...members], inDoubt: isUnclear || someEnded };
}

function partition<Item>(items: readonly Item[], isInside: (item: Item) => boolean): [Item[], Item[]] {
  const inside: Item[] = [];
  const outside: Item[] = [];
  for (const item of items) (isInside(item) ? inside : outside).push(item);
  return [inside, outside];
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone already, or another user's: nothing more can be done.
    }
  }
}
