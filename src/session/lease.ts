// One writer per session, across processes. A lease is a file in the session's lease folder whose name is its
// epoch; the highest one counts. Taking over is making the next number, which only one can do, and nothing has to
// be deleted for it: so no file that a killed process left behind can stop anyone, and no two can both succeed.
import { join } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import { liveness, ownIdentity, type ProcessIdentity } from "../base/liveness.ts";
import { type Disk, diskErrorCode, writeAll } from "./disk.ts";

export type Acquired =
  | { readonly ok: true; readonly lease: Lease }
  | { readonly ok: false; readonly holder: Holder };

/** Who has the session; undefined where its file can't be read (yet). */
export type Holder = ProcessIdentity | undefined;

/** For those on another machine, who can't see whether our process lives. */
const HEARTBEAT_MS = 10_000;
const SILENT_MS = 60_000;
const ATTEMPTS = 50;
/** A file system without hard links: then the file is made under its name and filled afterwards. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

export async function acquireLease(disk: Disk, folder: string): Promise<Acquired> {
  for (let attempt = 1; ; attempt++) {
    await disk.makeFolder(folder);
    const holder = await liveHolder(disk, folder, 0);
    if (holder !== undefined) return { ok: false, holder: holder.identity };
    const epoch = Math.max(0, ...(await epochs(disk, folder))) + 1;
    if (await claim(disk, folder, epoch)) {
      // Someone slower or faster may have made another number in the meantime.
      const rival = await liveHolder(disk, folder, epoch);
      if (rival === undefined) return { ok: true, lease: await Lease.begin(disk, folder, epoch) };
      await disk.remove(join(folder, String(epoch)));
      if (attempt === ATTEMPTS) return { ok: false, holder: rival.identity };
    } else if (attempt === ATTEMPTS) return { ok: false, holder: undefined };
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
  }
}

/** Who holds a session right now, for those who only want to know. */
export async function leaseHolder(disk: Disk, folder: string): Promise<{ identity: Holder } | undefined> {
  return liveHolder(disk, folder, 0);
}

export class Lease {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #heartbeat: NodeJS.Timeout;
  #epoch: number;

  private constructor(disk: Disk, folder: string, epoch: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#epoch = epoch;
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  static async begin(disk: Disk, folder: string, epoch: number): Promise<Lease> {
    const names = await disk.list(folder);
    await Promise.all(
      names.filter((name) => name !== String(epoch)).map((name) => disk.remove(join(folder, name))),
    );
    return new Lease(disk, folder, epoch);
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The epoch must be above every epoch that has ever written. Held throughout. */
  async raiseAbove(epoch: number): Promise<void> {
    const before = this.#epoch;
    if (before > epoch) return;
    let next = epoch + 1;
    // A number can be taken for a moment by a rival who is about to see that we are here.
    while (!(await claim(this.#disk, this.#folder, next))) {
      if (next++ > epoch + ATTEMPTS) throw new Error("The lease folder can't be written to.");
    }
    this.#epoch = next;
    await this.#disk.remove(join(this.#folder, String(before)));
  }

  /** `gone`: nobody took it, but its file is no longer there. */
  async check(): Promise<"held" | "taken" | "gone"> {
    try {
      await this.#disk.stat(join(this.#folder, String(this.#epoch)));
      return "held";
    } catch (error) {
      if (diskErrorCode(error) !== "ENOENT") throw error;
      const higher = (await epochs(this.#disk, this.#folder)).some((epoch) => epoch > this.#epoch);
      return higher ? "taken" : "gone";
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    try {
      await this.#disk.remove(join(this.#folder, String(this.#epoch)));
      await this.#disk.removeFolder(this.#folder);
    } catch {
      // Someone else is already in there, or the folder is gone: either way it is no longer ours.
    }
  }

  async #beat(): Promise<void> {
    try {
      await this.#disk.touch(join(this.#folder, String(this.#epoch)));
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

/** Someone other than the claim `except` who is alive. */
async function liveHolder(
  disk: Disk,
  folder: string,
  except: number,
): Promise<{ identity: Holder } | undefined> {
  for (const epoch of await epochs(disk, folder)) {
    if (epoch === except) continue;
    const found = await readHolder(disk, join(folder, String(epoch)));
    if (found !== undefined && isAlive(found)) return { identity: found.identity };
  }
  return undefined;
}

interface Found {
  readonly identity: Holder;
  readonly silentMs: number;
}

async function readHolder(disk: Disk, path: string): Promise<Found | undefined> {
  try {
    const { modifiedMs } = await disk.stat(path);
    const identity = decodeIdentity((await disk.read(path)).toString("utf8"));
    return { identity, silentMs: Date.now() - modifiedMs };
  } catch (error) {
    if (diskErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * A stopped holder (Ctrl-Z, SIGSTOP) gives way: whoever opens the session now is the one who works on it. If the
 * other wakes up, its records count no more, and it goes on in a fork.
 */
function isAlive({ identity, silentMs }: Found): boolean {
  const state = identity === undefined ? "elsewhere" : liveness(identity);
  return state === "elsewhere" ? silentMs < SILENT_MS : state === "running";
}

async function claim(disk: Disk, folder: string, epoch: number): Promise<boolean> {
  const name = join(folder, String(epoch));
  const temporary = join(folder, `${crypto.randomUUID()}.tmp`);
  const identity = Buffer.from(JSON.stringify(ownIdentity()));
  try {
    await writeNew(disk, temporary, identity);
    await disk.link(temporary, name);
    await disk.remove(temporary);
    return true;
  } catch (error) {
    const code = diskErrorCode(error);
    await disk.remove(temporary);
    if (code === "EEXIST" || code === "ENOENT") return false;
    if (!NO_LINKS.has(code)) throw error;
    return claimWithoutLinks(disk, name, identity);
  }
}

async function claimWithoutLinks(disk: Disk, name: string, identity: Buffer): Promise<boolean> {
  try {
    await writeNew(disk, name, identity);
    return true;
  } catch (error) {
    if (diskErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function writeNew(disk: Disk, path: string, bytes: Buffer): Promise<void> {
  const file = await disk.open(path, "new");
  try {
    await writeAll(file, bytes);
  } finally {
    await file.close();
  }
}

function decodeIdentity(text: string): Holder {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { pid, started, host, boot, namespace } = parsed.value;
  if (typeof pid !== "number" || typeof started !== "string" || typeof host !== "string") return undefined;
  return { pid, started, host, boot: String(boot ?? ""), namespace: String(namespace ?? "") };
}
