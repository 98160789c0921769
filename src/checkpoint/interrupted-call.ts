// After the program was killed: what the call that ran had changed until then.
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { linksOnDisk, realPath } from "../base/real-path.ts";
import type { ContentStore } from "./content-store.ts";
import { lookAt } from "./file-look.ts";
import { readInterruptedCall } from "./running-index.ts";
import type { FoundChanges } from "./tracking.ts";
import { TreeIndex } from "./tree-index.ts";

/**
 * What is not the call's is nobody's business: the next look at the project begins anew. The caller removes `run`, the
 * folder of the killed process, when the journal has what was found.
 */
export async function recoverInterrupted(
  run: string,
  store: ContentStore,
  signal: AbortSignal,
): Promise<FoundChanges | null> {
  const interrupted = readInterruptedCall(run);
  if (interrupted === null) return null;
  const { toolCallId, writes, project, endMs, rows } = interrupted;
  // A project that was moved away is not one whose files the call removed.
  if (lookAt(project.root)?.kind !== "folder") return null;
  const index = TreeIndex.fromRows(project, store, rows);
  const seen =
    writes === null ? await index.refresh(signal) : await index.refreshPaths(realPlaces(writes), signal);
  // What is gone has no time. To bring back what the person deleted does less harm than not to bring back the rest.
  const changes = seen.filter(({ path, before, after }) =>
    after.type === "folder"
      ? before.type === "folder" || madeMs(resolve(project.root, path)) <= endMs
      : (index.rowOf(path)?.look.changedMs ?? 0) <= endMs,
  );
  if (changes.length === 0) return null;
  return { root: project.root, by: { type: "call", toolCallId }, changes };
}

/** A folder's other times tell of what was put into it. */
function madeMs(folder: string): number {
  return lstatSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
}

/** A path through a symlink names a file elsewhere, which is the one that changes. */
export function realPlaces(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => [path, realPath(path, linksOnDisk) ?? path]))];
}
