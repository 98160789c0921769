// One writer per session, across processes. A lease is a name in the session's lease folder: its epoch. The highest
// counts. Taking over is making the next number, which only one can do, and nothing has to be deleted for it: so
// nothing that a killed process left behind can stop anyone, and no two can both succeed.
import { join } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import { liveness, ownIdentity, type ProcessIdentity } from "../base/liveness.ts";
import { type Disk, diskErrorCode } from "./disk.ts";

export type Acquired =
  | { readonly ok: true; readonly lease: Lease }
  | { readonly ok: false; readonly holder: Holder };

/** Who has the session; undefined where that can't be read. */
export type Holder = ProcessIdentity | undefined;

/** For those on another machine, who can't see whether our process lives. */
const HEARTBEAT_MS = 10_000;
const SILENT_MS = 60_000;
const ATTEMPTS = 50;

/** The leases of this process. */
const heldHere = new Set<string>();

export async function acquireLease(disk: Disk, folder: string): Promise<Acquired> {
  for (let attempt = 1; ; attempt++) {
    await disk.makeFolder(folder);
    const before = await epochs(disk, folder);
    const holder = await liveHolder(disk, folder, before);
    if (holder !== undefined) return { ok: false, holder: holder.identity };
    const epoch = Math.max(0, ...before) + 1;
    if (await claim(disk, folder, epoch)) {
      // Someone slower or faster may have made another number in the meantime.
      const rival = await liveHolder(disk, folder, await epochs(disk, folder), epoch);
      if (rival === undefined) {
        await clear(disk, folder, epoch);
        return { ok: true, lease: new Lease(disk, folder, epoch) };
      }
      await removeQuietly(disk, join(folder, String(epoch)));
      if (attempt === ATTEMPTS) return { ok: false, holder: rival.identity };
    } else if (attempt === ATTEMPTS) return { ok: false, holder: undefined };
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
  }
}

/** Who holds a session right now, for those who only want to know. */
export async function leaseHolder(disk: Disk, folder: string): Promise<{ identity: Holder } | undefined> {
  return liveHolder(disk, folder, await epochs(disk, folder));
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
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
    heldHere.add(this.#path);
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The epoch must be above every epoch that has ever written. Held throughout. */
  async raiseAbove(epoch: number): Promise<void> {
    const before = this.#path;
    if (this.#epoch > epoch) return;
    let next = epoch + 1;
    // A number can be taken for a moment by a rival who is about to see that we are here.
    while (!(await claim(this.#disk, this.#folder, next))) {
      if (next++ > epoch + ATTEMPTS) throw new Error("The lease folder can't be written to.");
    }
    this.#epoch = next;
    heldHere.add(this.#path);
    heldHere.delete(before);
    await removeQuietly(this.#disk, before);
  }

  /** `gone`: nobody took it, but it is no longer there. */
  async check(): Promise<"held" | "taken" | "gone"> {
    if (await this.#disk.hasMark(this.#path)) return "held";
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
      // Someone else is already in there, or the folder is gone: either way it is no longer ours.
    }
  }

  get #path(): string {
    return join(this.#folder, String(this.#epoch));
  }

  async #beat(): Promise<void> {
    try {
      await this.#disk.touchMark(this.#path);
    } catch {
      // The next write finds out and says so.
    }
  }
}

async function epochs(disk: Disk, folder: string): Promise<number[]> {
  try {
    return (await disk.list(folder)).filter((name) => /^\d+$/.test(name)).map(Number);
  } catch (error) {
    if (diskErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function liveHolder(
  disk: Disk,
  folder: string,
  claimed: readonly number[],
  except?: number,
): Promise<{ identity: Holder } | undefined> {
  for (const epoch of claimed) {
    if (epoch === except) continue;
    const path = join(folder, String(epoch));
    const mark = await readMarkIfThere(disk, path);
    if (mark === undefined) continue;
    const identity = decodeIdentity(mark.text);
    if (!isAlive(identity, Date.now() - mark.modifiedMs)) continue;
    // Of our own process, but nobody here holds it: left over from an attempt that the disk cut short.
    if (identity?.pid === process.pid && !heldHere.has(path)) continue;
    return { identity };
  }
  return undefined;
}

async function readMarkIfThere(
  disk: Disk,
  path: string,
): Promise<{ text: string; modifiedMs: number } | undefined> {
  try {
    return await disk.readMark(path);
  } catch (error) {
    if (diskErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * A stopped holder (Ctrl-Z, SIGSTOP) gives way: whoever opens the session now is the one who works on it. If the
 * other wakes up, its records count no more, and it goes on in a fork.
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
    const code = diskErrorCode(error);
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw error;
  }
}

/** What earlier holders left, unfinished files among it. */
async function clear(disk: Disk, folder: string, except: number): Promise<void> {
  for (const name of await disk.list(folder))
    if (name !== String(except)) await removeQuietly(disk, join(folder, name));
}

/** For what is only in the way: whoever takes the lease next removes it too. */
async function removeQuietly(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (diskErrorCode(error) === "") throw error;
  }
}

function decodeIdentity(text: string): Holder {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { pid, started, host, boot, namespace } = parsed.value;
  if (typeof pid !== "number" || typeof started !== "string" || typeof host !== "string") return undefined;
  return { pid, started, host, boot: String(boot ?? ""), namespace: String(namespace ?? "") };
}
