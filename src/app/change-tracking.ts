// Follows what an agent changes on disk, beside its session. Loaded when something may be written, and not before.
import { inTime } from "../base/abort.ts";
import type { ChangeTracker, ProjectFiles } from "../checkpoint/tracking.ts";
import { errorMessage } from "../domain/error.ts";
import type { PermissionMode } from "../domain/permission.ts";
import type { UndoCoverage } from "../permission/context.ts";
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
  let folder: string | null = null;
  let loading: Promise<ChangeTracker | null> = Promise.resolve(null);
  let loaded: ChangeTracker | null = null;

  const open = async (last: Promise<ChangeTracker | null>): Promise<ChangeTracker | null> => {
    try {
      await (await last)?.close();
      const { openTracker } = await import("./open-tracker.ts");
      loaded = await openTracker(settings, writer, project);
    } catch (error) {
      loaded = null;
      settings.notify(`Undo doesn't work in this session: ${errorMessage(error)}`);
    }
    return loaded;
  };
  const load = (): Promise<ChangeTracker | null> => {
    // A session that another window took over goes on in other files.
    if (folder !== writer.paths.files) loading = open(loading);
    folder = writer.paths.files;
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
    take: () => loaded?.take() ?? [],
    settled: async (signal) => loaded?.settled(signal),
    coverage: async (signal) => {
      const tracker = await inTime(load(), signal);
      if (tracker === null) throw new Error("Undo doesn't work in this session.");
      return tracker.coverage(signal);
    },
    restored: async (changes) => (await loading)?.restored(changes),
    close: async () => {
      const tracker = await loading;
      await tracker?.close();
      for (const found of tracker?.take() ?? []) await writer.record({ type: "files-changed", ...found });
      if (tracker !== null) (await import("./open-tracker.ts")).releaseContents(writer.paths);
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
