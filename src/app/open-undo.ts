// Undo for an agent that is open, and for a session on disk that nobody has open.
import type { Mask } from "../base/secrets.ts";
import type { Environment } from "../base/xdg.ts";
import { hasRunningCall } from "../checkpoint/running-mark.ts";
import type { UndoSettings } from "../checkpoint/settings.ts";
import type { ChangeTracker } from "../checkpoint/tracking.ts";
import { errorCode, TunacodeError } from "../domain/error.ts";
import type { SessionId } from "../domain/ids.ts";
import { openSession, type ReadSession, readSession } from "../session/open.ts";
import type { SessionPaths } from "../session/paths.ts";
import type { SessionState } from "../session/state.ts";
import type { SessionWriter } from "../session/writer.ts";
import { recordInterrupted } from "./interrupted-changes.ts";
import { keyMask } from "./keys.ts";
import { pendingRestores, restoresFolder } from "./pending-restores.ts";
import { createUndo, type UndoFiles } from "./session-undo.ts";
import { locateSession, newestSession, noSession } from "./sessions.ts";
import type { Undo } from "./undo.ts";
import { type UndoPlace, undoPlaceOf } from "./undo-place.ts";
import { finishRestores } from "./unfinished-restores.ts";

/** What undo needs of an agent. */
interface UndoableAgent {
  readonly session: { readonly state: SessionState; readonly writer: SessionWriter | null };
  /** null: what it changes is not followed. */
  readonly changes: ChangeTracker | null;
  readonly undoPlace: UndoPlace;
  readonly manager: { readonly ports: { readonly mask: Mask } };
}

/** A large project can take so long to look at. */
const SETTLE_MS = 30_000;

/**
 * Cheap: nothing is read before something is asked for. Going back is refused while a request runs. Whoever shows the
 * conversation has to read it again afterwards (`readShown`).
 */
export function openUndo({ session, changes, undoPlace, manager }: UndoableAgent): Undo {
  const { state, writer } = session;
  if (writer === null) return unsavedUndo();
  // A session that another window took over goes on in other files.
  let opened: { readonly folder: string; readonly files: Promise<UndoFiles> } | undefined;
  return createUndo({
    root: undoPlace.project.root,
    state,
    writer,
    paths: () => writer.paths,
    files: () => {
      const { files: folder } = writer.paths;
      if (opened?.folder !== folder) opened = { folder, files: openFiles(writer.paths, undoPlace) };
      return opened.files;
    },
    settle: async () => {
      await changes?.settled(AbortSignal.timeout(SETTLE_MS));
      for (const found of changes?.take() ?? []) await writer.record({ type: "files-changed", ...found });
    },
    mask: manager.ports.mask,
    onRestored: async (restored) => changes?.restored(restored),
    uncovered: async (signal) => {
      if (changes === null)
        throw new TunacodeError("usage", "Undo is switched off: see settings.undo.enabled.");
      return (await changes.coverage(signal)).list();
    },
  });
}

async function openFiles(paths: SessionPaths, place: UndoPlace): Promise<UndoFiles> {
  return (await import("./undo-files.ts")).openUndoFiles(paths, place);
}

function unsavedUndo(): Undo {
  const refuse = async () => {
    throw new TunacodeError("usage", "This session is not saved, so nothing can be taken back.");
  };
  return {
    turns: refuse,
    plan: refuse,
    goBack: refuse,
    branches: refuse,
    switchTo: refuse,
    diff: refuse,
    uncovered: refuse,
  };
}

export interface SessionUndoSettings {
  readonly cwd: string;
  readonly env: Environment;
  readonly undo?: UndoSettings;
  /** An id, a prefix of one, or a path; by default the newest session of the project. */
  readonly session?: SessionId;
  /**
   * False: only looks, also at a session that is open elsewhere. Nothing can be taken back, but what a killed process
   * began is finished first, as at any start.
   */
  readonly canChange: boolean;
}

export interface SessionUndo {
  readonly sessionId: SessionId;
  readonly undo: Undo;
  /** Sentences for the person: what was found, and what a killed process had left and is finished now. */
  readonly notices: readonly string[];
  /** Saves, and frees the session. */
  readonly close: () => Promise<void>;
}

/** Throws a `usage` error if there is no such session, or if it is open in another window and `canChange` is wanted. */
export async function undoOfSession(settings: SessionUndoSettings): Promise<SessionUndo> {
  const paths = await chosenPaths(settings);
  const finished = settings.canChange ? [] : await finishCutOff(paths, settings);
  const mask = keyMask();
  mask.learn(settings.env);
  const { session, writer } = await openOrRead(paths, settings, mask);
  const { state } = session;
  const place = await undoPlaceOf(paths, state.workingDirectory, settings);
  const notices =
    writer === null
      ? finished
      : [
          ...(await recordInterrupted(writer, settings.undo)),
          ...(await finishRestores({ state, writer }, place)),
        ];
  let files: Promise<UndoFiles> | undefined;
  const undo = createUndo({
    root: place.project.root,
    state,
    writer,
    paths: () => paths,
    files: () => {
      files ??= openFiles(paths, place);
      return files;
    },
    settle: async () => {},
    mask,
    onRestored: async () => {},
    uncovered: async (signal) => {
      const { projectCoverage } = await import("./project-coverage.ts");
      const { root } = place.project;
      const coverage = await projectCoverage({ root, env: settings.env, undo: place.settings }, signal);
      return coverage?.list() ?? [];
    },
  });
  return {
    sessionId: state.sessionId,
    undo,
    notices,
    close: async () => {
      await writer?.close();
      (await import("./open-tracker.ts")).releaseContents(paths);
    },
  };
}

async function chosenPaths({ cwd, env, session }: SessionUndoSettings): Promise<SessionPaths> {
  if (session !== undefined) return locateSession(env, cwd, session);
  const newest = await newestSession(env, cwd);
  if (newest === null) throw new TunacodeError("usage", "This project has no session yet.");
  return newest;
}

/** Whoever only looks would see it half done. What another window has open is finished there. */
async function finishCutOff(paths: SessionPaths, settings: SessionUndoSettings): Promise<readonly string[]> {
  const { isOf } = pendingRestores(restoresFolder(settings.env));
  if (!hasRunningCall(paths.files) && !isOf(paths)) return [];
  try {
    const opened = await undoOfSession({ ...settings, session: paths.sessionId, canChange: true });
    await opened.close();
    return opened.notices;
  } catch (error) {
    if (errorCode(error) === "usage") return [];
    throw error;
  }
}

async function openOrRead(
  paths: SessionPaths,
  { canChange }: SessionUndoSettings,
  mask: Mask,
): Promise<{ readonly session: ReadSession; readonly writer: SessionWriter | null }> {
  if (!canChange) {
    const session = await readSession(paths);
    if (session === undefined) throw noSession(paths.sessionId);
    return { session, writer: null };
  }
  const opening = await openSession(paths, { mask });
  switch (opening.type) {
    case "missing":
      throw noSession(paths.sessionId);
    case "held": {
      const holder = opening.holder === undefined ? "" : ` (process ${opening.holder.pid})`;
      throw new TunacodeError(
        "usage",
        `Session ${paths.sessionId} is open in another window${holder}: use /undo there.`,
      );
    }
    case "open":
      return { session: opening.session, writer: opening.session.writer };
  }
}
