// What a restore is about to do, on disk before it begins: a process that is killed leaves it to the next one. The name
// of the file says whose it is, so that to take it over is to rename it, which only one process can do.

import { mkdir, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { folderNames } from "../base/folder-names.ts";
import { isJsonObject, parseJson } from "../base/json.ts";
import { liveness, ownIdentity, type ProcessIdentity } from "../base/liveness.ts";
import { writeWholeFile } from "../base/whole-file.ts";
import type { RestoreId, SessionId } from "../domain/ids.ts";
import type { UnlockedFolder } from "./restore-folder.ts";
import type { RestoreStep } from "./restore-plan.ts";
import type { RestoreResult } from "./restoring.ts";

export interface RestoreIntent {
  readonly restoreId: RestoreId;
  readonly steps: readonly RestoreStep[];
  readonly unlocked: readonly UnlockedFolder[];
  /** It is done; only the session's record may be missing. */
  readonly result: RestoreResult | null;
}

export interface IntentOwner {
  /** `restores` in the person's data. */
  readonly folder: string;
  readonly projectId: string;
  readonly sessionId: SessionId;
}

interface StoredIntent extends RestoreIntent {
  readonly format: typeof FORMAT;
  readonly writer: ProcessIdentity;
}

const FORMAT = 1;

/** A process on another machine or in another container can't be asked. Restores take seconds. */
const SILENT_MS = 60_000;

export async function writeIntent(owner: IntentOwner, intent: RestoreIntent): Promise<void> {
  await mkdir(owner.folder, { recursive: true, mode: 0o700 });
  const stored: StoredIntent = { format: FORMAT, writer: ownIdentity(), ...intent };
  await writeWholeFile(join(owner.folder, ownName(owner, intent.restoreId)), JSON.stringify(stored), 0o600);
  const folder = await open(owner.folder);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export async function removeIntent(owner: IntentOwner, restoreId: RestoreId): Promise<void> {
  const base = baseName(owner, restoreId);
  for (const name of folderNames(owner.folder))
    if (name.startsWith(`${base}.`)) await rm(join(owner.folder, name), { force: true });
}

/** Of processes that are gone; each is ours from now on. */
export async function takeOverIntents(owner: IntentOwner): Promise<readonly RestoreIntent[]> {
  const start = `${owner.projectId}_${owner.sessionId}_`;
  const taken: RestoreIntent[] = [];
  for (const name of folderNames(owner.folder).filter(
    (each) => each.startsWith(start) && each.endsWith(".json"),
  )) {
    const path = join(owner.folder, name);
    const stored = await readIntent(path);
    if (stored === null || (await isHeld(path, name, stored.writer))) continue;
    const own = join(owner.folder, ownName(owner, stored.restoreId));
    try {
      await rename(path, own);
      await utimes(own, new Date(), new Date());
    } catch {
      // Another process was faster.
      continue;
    }
    taken.push(stored);
  }
  return taken;
}

async function isHeld(path: string, name: string, writer: ProcessIdentity): Promise<boolean> {
  const [pid = "", started = ""] = name.split(".").slice(1);
  const self = ownIdentity();
  const holder = { ...self, pid: Number(pid), started: decodeURIComponent(started) };
  // What this process itself was at is over when it asks.
  if (holder.pid === self.pid && holder.started === self.started) return false;
  if (liveness(holder) !== "dead") return true;
  if (liveness(writer) !== "elsewhere") return false;
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs < SILENT_MS;
}

/** null if it is gone, or a newer program wrote it. */
async function readIntent(path: string): Promise<StoredIntent | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value) || parsed.value["format"] !== FORMAT) return null;
  return JSON.parse(text) as StoredIntent;
}

function ownName(owner: IntentOwner, restoreId: RestoreId): string {
  const { pid, started } = ownIdentity();
  return `${baseName(owner, restoreId)}.${pid}.${encodeURIComponent(started)}.json`;
}

function baseName({ projectId, sessionId }: IntentOwner, restoreId: RestoreId): string {
  return `${projectId}_${sessionId}_${restoreId}`;
}
