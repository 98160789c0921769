// A session that was killed in the middle of a call: what that call had changed is written down when it is opened again,
// so that it can be taken back like anything else.
import { plural } from "../base/numbers.ts";
import { hasRunningCall, removeRunFolders, runFolders } from "../checkpoint/running-mark.ts";
import type { UndoSettings } from "../checkpoint/settings.ts";
import type { SessionWriter } from "../session/writer.ts";

const MOST_MS = 20_000;

/** Returns sentences for the person. Costs nothing if no call was interrupted. */
export async function recordInterrupted(
  writer: SessionWriter,
  undo: UndoSettings | undefined,
): Promise<readonly string[]> {
  const { files } = writer.paths;
  if (!hasRunningCall(files)) {
    removeRunFolders(files);
    return [];
  }
  const [{ recoverInterrupted }, { openContents, releaseContents }] = await Promise.all([
    import("../checkpoint/interrupted-call.ts"),
    import("./open-tracker.ts"),
  ]);
  try {
    const store = await openContents(writer.paths, undo);
    let changed = 0;
    for (const run of runFolders(files)) {
      const found = await recoverInterrupted(run, store, AbortSignal.timeout(MOST_MS));
      if (found === null) continue;
      await writer.record({ type: "files-changed", ...found });
      changed += found.changes.length;
    }
    if (changed === 0) return [];
    const what = plural(changed, "file");
    return [`The last command was interrupted after it had changed ${what}. Undo takes that back.`];
  } catch {
    return ["The last command was interrupted, and what it had changed could not be found out."];
  } finally {
    removeRunFolders(files);
    // The index that was made to find them would stay with it.
    releaseContents(writer.paths);
  }
}
