// Follows what an agent changes on disk, beside its session. Loaded when something may be written, and not before.
import { inTime } from "../base/abort.ts";
import type { ChangeTracker, FoundChanges, ProjectFiles } from "../checkpoint/tracking.ts";
import { errorMessage } from "../domain/error.ts";
import type { PermissionMode } from "../domain/permission.ts";
import type { UndoCoverage } from "../permission/context.ts";
import type { SessionPaths } from "../session/paths.ts";
import type { SessionWriter } from "../session/writer.ts";
import type { AgentSettings } from "./settings.ts";

interface TrackedAgent {
  readonly writer: SessionWriter | null;
  readonly project: ProjectFiles;
  readonly mode: () => PermissionMode;
}

/** null: nothing can be taken back, because there is no session to keep it in, or the person doesn't want it. */
export function changeTracking(settings: AgentSettings, agent: TrackedAgent): ChangeTracker | null {
  const { writer, project, mode } = agent;
  if (writer === null || settings.undo?.enabled === false) return null;
  /** Those of the session that the tracker belongs to. */
  let paths: SessionPaths | null = null;
  let loading: Promise<ChangeTracker | null> = Promise.resolve(null);
  let loaded: ChangeTracker | null = null;
  /** Nobody knows yet in which session they are saved. */
  let taken: readonly FoundChanges[] = [];

  /** A session that another window took over goes on in other files. */
  const isMoved = () => paths !== null && paths.files !== writer.paths.files;
  const closeTracker = async (tracker: ChangeTracker | null) => {
    await tracker?.close();
    const found = tracker?.take() ?? [];
    for (const each of found) await writer.record({ type: "files-changed", ...each });
    taken = [...taken, ...found];
  };
  const open = async (last: Promise<ChangeTracker | null>, from: SessionPaths | null) => {
    try {
      await closeTracker(await last);
      const { carryContents, openTracker, releaseContents } = await import("./open-tracker.ts");
      if (from !== null) {
        await carryContents(taken, from, writer.paths, settings.undo);
        releaseContents(from);
      }
      loaded = await openTracker(settings, writer, project);
    } catch (error) {
      loaded = null;
      settings.notify(`Undo doesn't work in this session: ${errorMessage(error)}`);
    }
    return loaded;
  };
  const load = (): Promise<ChangeTracker | null> => {
    if (paths === null || isMoved()) {
      const from = paths;
      paths = writer.paths;
      loading = open(loading, from);
    }
    return loading;
  };

  return {
    begin: () => {
      // Nothing can be written in this mode. If it changes, the first call that writes begins.
      if (mode() !== "read-only") void load().then((tracker) => tracker?.begin());
    },
    before: async (call, signal) => {
      const tracker = await inTime(load(), signal);
      await tracker?.before(call, signal);
    },
    after: (call) => loaded?.after(call),
    take: () => {
      const found = loaded?.take() ?? [];
      taken = isMoved() ? [...taken, ...found] : found;
      return found;
    },
    settled: async (signal) => {
      await loaded?.settled(signal);
      if (isMoved()) await inTime(load(), signal);
    },
    coverage: async (signal) => {
      const tracker = await inTime(load(), signal);
      if (tracker === null) throw new Error("Undo doesn't work in this session.");
      return tracker.coverage(signal);
    },
    restored: async (changes) => (await loading)?.restored(changes),
    close: async () => {
      const tracker = await loading;
      await closeTracker(tracker);
      if (tracker === null || paths === null) return;
      const { carryContents, releaseContents } = await import("./open-tracker.ts");
      if (isMoved()) await carryContents(taken, paths, writer.paths, settings.undo);
      releaseContents(paths);
      releaseContents(writer.paths);
    },
  };
}

/** Nobody should wait longer for a question. */
const COVERAGE_MS = 3_000;

/** null: nothing can be taken back, or nobody knows yet what. */
export async function undoCoverage(changes: ChangeTracker | null): Promise<UndoCoverage | null> {
  try {
    const coverage = await changes?.coverage(AbortSignal.timeout(COVERAGE_MS));
    if (coverage === undefined) return null;
    return { firstUncovered: (path) => coverage.firstUncovered(path)?.path ?? null };
  } catch {
    return null;
  }
}
