// The files of a project as undo needs them: what is kept of them, and what puts it back.
import { createContents } from "../checkpoint/contents.ts";
import { createRestorer } from "../checkpoint/restorer.ts";
import type { SessionPaths } from "../session/paths.ts";
import { openContents } from "./open-tracker.ts";
import type { UndoFiles } from "./session-undo.ts";
import type { UndoPlace } from "./undo-place.ts";

/** Reading what is kept must not take for ever, where it is git's. */
const MOST_READ_MS = 30_000;

export async function openUndoFiles(paths: SessionPaths, place: UndoPlace): Promise<UndoFiles> {
  const { project, restores, settings } = place;
  const { projectId, sessionId } = paths;
  const store = await openContents(paths, settings);
  const contents = createContents(project.root, store);
  const intents = { folder: restores, projectId, sessionId };
  const inTime = () => AbortSignal.timeout(MOST_READ_MS);
  return {
    restorer: createRestorer({ files: project, store, contents, intents }),
    kept: {
      root: project.root,
      read: (path, content) => contents.read({ path, content }, inTime()),
      readAll: (wanted) => contents.readAll(wanted, inTime()),
    },
  };
}
