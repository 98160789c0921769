// One writer per session, across processes. A lease is a name in the session's lease folder: its epoch. The highest one
// wins. To take over is to create the next number, which only one process can do. Nothing has to be deleted for that,
// so nothing that a killed process left behind can stop anyone, and no two can both succeed.

import { join } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import { isJsonObject, parseJson } from "../base/json.ts";
import { liveness, ownIdentity } from "../base/liveness.ts";
import { type Disk, ifThere, unlessDiskFails } from "./disk.ts";
import { type Holder, SessionTakenError } from "./journal.ts";

/** A process on another machine can't see whether ours is alive, but it sees the heartbeat. */
const HEARTBEAT_MS = 10_000;
const SILENT_MS = 60_000;
const ATTEMPTS = 50;

/** The leases that this process holds. */
const heldHere = new Set<string>();

/** Throws a SessionTakenError if somebody else holds it. */
export async function acquireLease(disk: Disk, folder: string): Promise<Lease> {
  for (let attempt = 1; ; attempt++) {
    await disk.makeFolder(folder);
    const epoch = Math.max(0, ...(await epochs(disk, folder))) + 1;
    const holder = await leaseHolder(disk, folder);
    if (holder !== undefined) throw new SessionTakenError(holder.identity);
    if (await claim(disk, folder, epoch)) {
      // A rival may have created another number in the meantime.
      const rival = await leaseHolder(disk, folder, epoch);
      if (rival === undefined) {
        await clear(disk, folder, epoch);
        return new Lease(disk, folder, epoch);
      }
      await unlessDiskFails(disk.remove(join(folder, String(epoch))));
      if (attempt === ATTEMPTS) throw new SessionTakenError(rival.identity);
    } else if (attempt === ATTEMPTS) throw new SessionTakenError(undefined);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
  }
}

export class Lease {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #heartbeat: NodeJS.Timeout;
  #epoch: number;

  constructor(disk: Disk, folder: string, epoch: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#epoch = epoch;
    // A heartbeat that fails is no matter: the next write finds out and says so.
    const beat = () => void unlessDiskFails(disk.touchMark(this.#path));
    this.#heartbeat = setInterval(beat, HEARTBEAT_MS).unref();
    heldHere.add(this.#path);
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Our epoch has to be above every epoch that has ever written. The lease is held throughout. */
  async raiseAbove(epoch: number): Promise<void> {
    const before = this.#path;
    if (this.#epoch > epoch) return;
    let next = epoch + 1;
    // A rival may have the number for a moment, until it sees that we hold the lease.
    while (!(await claim(this.#disk, this.#folder, next))) {
      if (next++ > epoch + ATTEMPTS) throw new Error("The lease folder can't be written to.");
    }
    this.#epoch = next;
    heldHere.add(this.#path);
    heldHere.delete(before);
    await unlessDiskFails(this.#disk.remove(before));
  }

  /** `gone`: nobody took it, but it is no longer there. */
  async check(): Promise<"held" | "taken" | "gone"> {
    if ((await ifThere(this.#disk.readMark(this.#path))) !== undefined) return "held";
    const higher = (await epochs(this.#disk, this.#folder)).some((epoch) => epoch > this.#epoch);
    return higher ? "taken" : "gone";
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    heldHere.delete(this.#path);
    try {
      await this.#disk.remove(this.#path);
      await this.#disk.removeFolder(this.#folder);
    } catch {
      // Somebody else is already in the folder, or it is gone: either way it is no longer ours.
    }
  }

  get #path(): string {
    return join(this.#folder, String(this.#epoch));
  }
}

async function epochs(disk: Disk, folder: string): Promise<number[]> {
  const names = (await ifThere(disk.list(folder))) ?? [];
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Who holds a session right now, `except` this epoch. */
export async function leaseHolder(
  disk: Disk,
  folder: string,
  except?: number,
): Promise<{ identity: Holder } | undefined> {
  for (const epoch of await epochs(disk, folder)) {
    if (epoch === except) continue;
    const path = join(folder, String(epoch));
    const mark = await ifThere(disk.readMark(path));
    if (mark === undefined) continue;
    const identity = decodeIdentity(mark.text);
    if (!isAlive(identity, Date.now() - mark.modifiedMs)) continue;
    // Our own process made it and doesn't hold it: the disk failed in the middle of an attempt.
    if (identity?.pid === process.pid && !heldHere.has(path)) continue;
    return { identity };
  }
  return undefined;
}

/**
 * A stopped holder (Ctrl-Z, SIGSTOP) gives way to the window that opens the session now. If it wakes up, its records
 * are ignored, and it goes on in a fork.
 */
function isAlive(identity: Holder, silentMs: number): boolean {
  const state = identity === undefined ? "elsewhere" : liveness(identity);
  return state === "elsewhere" ? silentMs < SILENT_MS : state === "running";
}

async function claim(disk: Disk, folder: string, epoch: number): Promise<boolean> {
  try {
    await disk.makeMark(join(folder, String(epoch)), JSON.stringify(ownIdentity()));
    return true;
  } catch (error) {
    if (["EEXIST", "ENOENT"].includes(failureCode(error))) return false;
    throw error;
  }
}

/** Removes what earlier holders left, such as unfinished files. The next holder removes what can't be removed now. */
async function clear(disk: Disk, folder: string, except: number): Promise<void> {
  for (const name of await disk.list(folder))
    if (name !== String(except)) await unlessDiskFails(disk.remove(join(folder, name)));
}

function decodeIdentity(text: string): Holder {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { pid, started, host, boot, namespace } = parsed.value;
  if (typeof pid !== "number" || typeof started !== "string" || typeof host !== "string") return undefined;
  return { pid, started, host, boot: String(boot ?? ""), namespace: String(namespace ?? "") };
}
