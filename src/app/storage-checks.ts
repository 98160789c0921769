// What sessions keep on this machine: the contents of files for undo, counted and checked, restores that were cut off,
// and what a person's limits leave no place for.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { folderNames } from "../base/folder-names.ts";
import { plural } from "../base/numbers.ts";
import type { Environment } from "../base/xdg.ts";
import { DEFAULT_CAPS } from "../checkpoint/content-store.ts";
import type { UndoSettings } from "../checkpoint/settings.ts";
import { checkStore } from "../checkpoint/store-check.ts";
import { nodeDisk } from "../session/disk.ts";
import { leaseHolder } from "../session/lease.ts";
import { type SessionPaths, sessionFolder } from "../session/paths.ts";
import { isLimited, type Retention, surplusSessions } from "../session/retention.ts";
import { datedSessions } from "../session/store.ts";
import type { MachineCheck } from "./machine-checks.ts";
import { pendingRestores, restoresFolder } from "./pending-restores.ts";

interface StorageSettings {
  readonly env: Environment;
  readonly undo?: UndoSettings;
  readonly retention?: Retention;
}

/** Reading all of a full store takes a few seconds. */
const MOST_MS = 15_000;
const MOST_SHOWN = 3;

export async function* checkKept(settings: StorageSettings): AsyncGenerator<MachineCheck> {
  yield await checkStores(settings);
  yield* await checkOrphans(settings);
  const { count } = pendingRestores(restoresFolder(settings.env));
  if (count > 0)
    yield {
      name: "undo",
      status: "warning",
      message: `${count} interrupted: files were being put back when tunacode was ended.`,
      remedy:
        "Start tunacode in that project, or run tunacode undo --list there: it finishes what was begun.",
    };
  if (isLimited(settings.retention ?? {})) yield await checkRetention(settings);
}

async function checkStores({ env, undo = {} }: StorageSettings): Promise<MachineCheck> {
  const most = undo.machineBytes ?? DEFAULT_CAPS.machineBytes;
  const signal = AbortSignal.timeout(MOST_MS);
  let bytes = 0;
  let sessions = 0;
  const damaged: SessionPaths[] = [];
  for (const { paths } of await datedSessions(sessionFolder(env))) {
    const kept = await checkStore(blobsOf(paths), signal);
    if (kept.files === 0) continue;
    sessions++;
    bytes += kept.bytes;
    if (kept.damaged.length > 0) damaged.push(paths);
  }
  const message = `${megabytes(bytes)} of files kept for ${plural(sessions, "session")}, of at most ${megabytes(most)}`;
  const [first] = damaged;
  if (first !== undefined)
    return {
      name: "undo",
      status: "warning",
      message: `${message}; damaged in ${damaged.map(({ sessionId }) => sessionId).join(", ")}`,
      remedy: `Run: tunacode doctor ${first.sessionId}`,
    };
  if (bytes > most)
    return {
      name: "undo",
      status: "warning",
      message,
      remedy: "The next run that changes files removes the oldest. To free more: tunacode sessions delete ID",
    };
  return { name: "undo", status: "ok", message };
}

/** What a deletion that was cut off, or a person who deleted a journal, has left. */
async function checkOrphans({ env }: StorageSettings): Promise<readonly MachineCheck[]> {
  const folder = sessionFolder(env);
  const known = new Set((await datedSessions(folder)).map(({ paths }) => paths.files));
  const names = folderNames(folder);
  const orphans: string[] = [];
  for (const name of names.filter((each) => each.endsWith(".files"))) {
    const lease = join(folder, name.replace(/\.files$/, ".lease"));
    if (known.has(join(folder, name)) || (await leaseHolder(nodeDisk, lease)) !== undefined) continue;
    orphans.push(join(folder, name));
  }
  if (orphans.length === 0) return [];
  const message = `${plural(orphans.length, "folder")} with files that belong to no session`;
  const shown = orphans.slice(0, MOST_SHOWN).join(", ") + (orphans.length > MOST_SHOWN ? ", ..." : "");
  return [{ name: "undo", status: "warning", message, remedy: `Nothing can use them. Delete ${shown}` }];
}

async function checkRetention({ env, retention = {} }: StorageSettings): Promise<MachineCheck> {
  const { isOf } = pendingRestores(restoresFolder(env));
  const scope = { isKept: isOf, signal: AbortSignal.timeout(MOST_MS) };
  const surplus = await surplusSessions(sessionFolder(env), retention, scope);
  if (surplus.length === 0)
    return { name: "retention", status: "ok", message: "no session is over the limits" };
  const ids = surplus.slice(0, MOST_SHOWN).map(({ paths }) => paths.sessionId);
  const more = surplus.length > MOST_SHOWN ? ", ..." : "";
  return {
    name: "retention",
    status: "ok",
    message: `${plural(surplus.length, "session")} will be deleted at the next start: ${ids.join(", ")}${more}`,
  };
}

/** What is kept for one session. Damaged files are removed, unless it is only looked at. */
export async function checkSessionStore(
  paths: SessionPaths,
  { change }: { readonly change: boolean },
): Promise<MachineCheck | null> {
  const { files, bytes, damaged } = await checkStore(blobsOf(paths), AbortSignal.timeout(MOST_MS));
  if (files === 0) return null;
  const message = `${megabytes(bytes)} in ${plural(files, "file")} kept`;
  if (damaged.length === 0) return { name: "undo", status: "ok", message: `${message}, none damaged` };
  if (change) for (const path of damaged) rmSync(path, { force: true });
  const what = `${message}; damaged and ${change ? "removed" : "to be removed"}: ${damaged.length}`;
  return { name: "undo", status: change ? "changed" : "planned", message: `${what}. Undo can't use them.` };
}

function blobsOf({ files }: SessionPaths): string {
  return join(files, "blobs");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, "")} MB`;
}
