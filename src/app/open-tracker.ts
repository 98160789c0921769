// The tracker of a session, and the room that the contents of files may take for it.
import { join } from "node:path";
import { defined } from "../base/defined.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import { DiskChangeTracker } from "../checkpoint/change-tracker.ts";
import { ContentStore, DEFAULT_CAPS } from "../checkpoint/content-store.ts";
import { MachineRoom } from "../checkpoint/machine-room.ts";
import type { UndoSettings } from "../checkpoint/settings.ts";
import type { ChangeTracker, FoundChanges, ProjectFiles } from "../checkpoint/tracking.ts";
import { nodeDisk } from "../session/disk.ts";
import { leaseHolder } from "../session/lease.ts";
import type { SessionPaths } from "../session/paths.ts";
import type { AgentSettings } from "./settings.ts";

export async function openTracker(
  { undo, notify }: Pick<AgentSettings, "undo" | "notify">,
  { paths }: { readonly paths: SessionPaths },
  project: ProjectFiles,
): Promise<ChangeTracker> {
  return new DiskChangeTracker({
    project,
    store: await openContents(paths, undo),
    folder: paths.files,
    notify,
  });
}

const opened = new Map<string, Promise<ContentStore>>();

/** The contents of files that belong to a session. Whoever asks gets the same: each has to know what the others need. */
export async function openContents(paths: SessionPaths, settings?: UndoSettings): Promise<ContentStore> {
  const store = opened.get(paths.files) ?? openStore(paths, settings);
  opened.set(paths.files, store);
  return await store;
}

/** When the session is closed. */
export function releaseContents({ files }: SessionPaths): void {
  opened.delete(files);
}

/** A session goes on in other files: it has to have what these changes replaced. */
export async function carryContents(
  found: readonly FoundChanges[],
  from: SessionPaths,
  to: SessionPaths,
  settings?: UndoSettings,
): Promise<void> {
  if (found.length === 0) return;
  const [old, store] = [await openContents(from, settings), await openContents(to, settings)];
  const slices = createTimeSlices();
  for (const { before, after } of found.flatMap(({ changes }) => changes))
    for (const image of [before, after]) {
      if (slices.due()) await slices.rest();
      if (image.type !== "file" || image.content === null || !old.has(image.content)) continue;
      const bytes = old.read(image.content);
      if (bytes !== null) await store.putBytes(bytes);
    }
}

async function openStore(
  { files, folder }: SessionPaths,
  { fileBytes, sessionBytes, machineBytes }: UndoSettings = {},
): Promise<ContentStore> {
  const caps = { ...DEFAULT_CAPS, ...defined({ fileBytes, sessionBytes, machineBytes }) };
  const blobs = join(files, "blobs");
  const isRunning = async (name: string) =>
    (await leaseHolder(nodeDisk, join(folder, `${name}.lease`))) !== undefined;
  return await ContentStore.open(
    blobs,
    caps,
    new MachineRoom({ folder, isRunning }, blobs, caps.machineBytes),
  );
}
