// Takes changes back on disk. What would be overwritten or removed is kept first; then the intent is written; then each
// file is put back if it still is what it is thought to be.
import { createTimeSlices } from "../base/time-slices.ts";
import type { FileChange } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import type { ContentStore } from "./content-store.ts";
import type { Contents } from "./contents.ts";
import type { FileLook } from "./file-look.ts";
import { keepFirst, keptIn, wantedOf } from "./keep-first.ts";
import { type Looking, presenceAt } from "./presence.ts";
import { nodeCalls, type RestoreCalls } from "./restore-calls.ts";
import { lockedFolders } from "./restore-folder.ts";
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
import { runSteps } from "./restore-run.ts";
import type { RestoreResult, Restorer } from "./restoring.ts";
import { refusal } from "./step-context.ts";
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

  /** Carries an intent out that is on disk, and writes down what came of it. */
  async function finish(
    intent: RestoreIntent,
    conflicts: readonly RestoreConflict[],
    seen: ReadonlyMap<string, FileLook>,
  ): Promise<RestoreResult> {
    const { restoreId, steps, unlocked } = intent;
    const done = await runSteps({ ...looking, contents, restoreId, seen }, steps, unlocked);
    const result = { changes: done.changes, conflicts: [...conflicts, ...done.conflicts] };
    // Without it, a process that takes over finds the files as they are to be.
    await writeIntent(intents, { ...intent, result }).catch(() => {});
    return result;
  }

  return {
    plan: (changes) => plan(looking, contents, changes),
    async carryOut(planned, restoreId, overwrite) {
      running.add(restoreId);
      try {
        const tried = planned.conflicts.filter((conflict) => isTried(conflict, overwrite));
        const wanted = [...planned.steps, ...tried.map(({ path, now, to }) => ({ path, from: now, to }))];
        const { steps, conflicts, seen } = await keepFirst({ looking, store, contents }, wanted);
        const left = planned.conflicts.filter((conflict) => !isTried(conflict, overwrite));
        const met = [...left, ...conflicts];
        if (steps.length === 0) return { changes: [], conflicts: met };
        const intent = { restoreId, steps, unlocked: lockedFolders(looking, steps), result: null };
        const refused = await writeIntent(intents, intent).then(() => null, refusal);
        if (refused !== null) return { changes: [], conflicts: [...met, ...steps.map(failing(refused))] };
        return await finish(intent, met, seen);
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
        recovered.push({ restoreId, ...(result ?? (await finish(intent, [], new Map()))) });
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

const NOWHERE: Presence = { image: { type: "absent" }, ids: [], blockedBy: null, names: [], look: null };

/** Nothing is begun that could not be finished after a crash. */
function failing(detail: string): (step: RestoreStep) => RestoreConflict {
  return ({ path, from, to }) => ({ path, why: "failed", now: from, to, detail });
}

/** What the person decided on; and folders, which go if they turn out to be empty. */
function isTried({ path, why }: RestoreConflict, overwrite: ReadonlySet<string>): boolean {
  return why === "not empty" || (overwrite.has(path) && ["changed since", "in the way"].includes(why));
}
