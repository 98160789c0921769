// Takes changes back on disk. What would be overwritten or removed is kept first; then the intent is written; then each
// file is put back if it still is what it is thought to be.
import { createTimeSlices } from "../base/time-slices.ts";
import type { FileChange } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import type { ContentStore } from "./content-store.ts";
import type { Contents } from "./contents.ts";
import { keepFirst, keptIn, wantedOf } from "./keep-first.ts";
import { projectPlaceOf } from "./open-folder.ts";
import { type Looking, presenceAt } from "./presence.ts";
import { nodeCalls, type RestoreCalls, statAt } from "./restore-calls.ts";
import {
  type IntentOwner,
  type RestoreIntent,
  removeIntent,
  takeOverIntents,
  writeIntent,
} from "./restore-intent.ts";
import {
  joinChanges,
  type Presence,
  parentsOf,
  planRestore,
  type RestoreConflict,
  type RestorePlan,
  type RestoreStep,
} from "./restore-plan.ts";
import { runSteps, type UnlockedFolder } from "./restore-run.ts";
import type { RestoreResult, Restorer } from "./restoring.ts";
import type { ProjectFiles } from "./tracking.ts";

export interface RestorerParts {
  readonly files: ProjectFiles;
  readonly store: ContentStore;
  readonly contents: Contents;
  readonly intents: IntentOwner;
  readonly calls?: RestoreCalls;
}

/** Those of this process, which nobody has to finish. */
const running = new Set<RestoreId>();

export function createRestorer(parts: RestorerParts): Restorer {
  const { files, store, contents, intents, calls = nodeCalls } = parts;
  const looking: Looking = { calls, files, fits: (size) => size <= store.caps.fileBytes };

  /** Writes the intent, carries it out, and writes down what came of it. */
  async function finish(
    intent: RestoreIntent,
    conflicts: readonly RestoreConflict[],
  ): Promise<RestoreResult> {
    if (intent.steps.length === 0) return { changes: [], conflicts };
    await writeIntent(intents, intent);
    const { restoreId, steps, unlocked } = intent;
    const done = await runSteps({ ...looking, contents, restoreId }, steps, unlocked);
    const result = { changes: done.changes, conflicts: [...conflicts, ...done.conflicts] };
    await writeIntent(intents, { ...intent, result });
    return result;
  }

  return {
    plan: (changes) => plan(looking, contents, changes),
    async carryOut(planned, restoreId, overwrite) {
      running.add(restoreId);
      try {
        const tried = planned.conflicts.filter((conflict) => isTried(conflict, overwrite));
        const wanted = [...planned.steps, ...tried.map(({ path, now, to }) => ({ path, from: now, to }))];
        const { steps, conflicts } = await keepFirst({ looking, store, contents }, wanted);
        const left = planned.conflicts.filter((conflict) => !tried.includes(conflict));
        const unlocked = lockedFolders(looking, steps);
        return await finish({ restoreId, steps, unlocked, result: null }, [...left, ...conflicts]);
      } finally {
        running.delete(restoreId);
      }
    },
    settle: (restoreId) => removeIntent(intents, restoreId),
    async recover() {
      const recovered: ({ readonly restoreId: RestoreId } & RestoreResult)[] = [];
      for (const intent of await takeOverIntents(intents)) {
        const { restoreId, result } = intent;
        if (running.has(restoreId)) continue;
        recovered.push({ restoreId, ...(result ?? (await finish(intent, []))) });
      }
      return recovered;
    },
  };
}

async function plan(
  looking: Looking,
  contents: Contents,
  changes: readonly FileChange[],
): Promise<RestorePlan> {
  const joined = joinChanges(changes);
  const presences = new Map<string, Presence>();
  const slices = createTimeSlices();
  const look = async (path: string, wanted: Parameters<typeof presenceAt>[2]) => {
    if (slices.due()) await slices.rest();
    if (!presences.has(path)) presences.set(path, await presenceAt(looking, path, wanted));
  };
  for (const { path, before, after } of joined) await look(path, [after, before]);
  for (const { path } of joined) for (const parent of parentsOf(path)) await look(parent, []);
  const isKept = await keptIn(
    contents,
    joined.flatMap(({ path, before }) => wantedOf(path, before)),
  );
  return planRestore(joined, {
    now: (path) => presences.get(path) ?? NOWHERE,
    isKept: (path, image) => image.type !== "file" || wantedOf(path, image).some(isKept),
    canKeep: (image) => image.type !== "file" || (image.content !== null && looking.fits(image.size)),
  });
}

const NOWHERE: Presence = { image: { type: "absent" }, ids: [], blockedBy: null, names: [] };

/** What the person decided on; and folders, which go if they turn out to be empty. */
function isTried({ path, why }: RestoreConflict, overwrite: ReadonlySet<string>): boolean {
  return why === "not empty" || (overwrite.has(path) && ["changed since", "in the way"].includes(why));
}

/** Root may write anywhere; everybody else only where the folder says so, and its owner may change what it says. */
function lockedFolders({ files, calls }: Looking, steps: readonly RestoreStep[]): readonly UnlockedFolder[] {
  const user = process.getuid?.() ?? 0;
  const folders = new Set(steps.flatMap(({ path }) => projectPlaceOf(files, path)?.folder ?? []));
  return [...folders].flatMap((path) => {
    const stat = statAt(calls, path);
    const mode = (stat?.mode ?? 0) & 0o7777;
    const isLocked = stat?.isDirectory() === true && stat.uid === user && (mode & 0o300) !== 0o300;
    return isLocked && user !== 0 ? [{ path, mode }] : [];
  });
}
