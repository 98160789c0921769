// Where undo of a session works: its project, the folders that were added to it, and what a killed process left to do.
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { Environment } from "../base/xdg.ts";
import type { UndoSettings } from "../checkpoint/settings.ts";
import type { ProjectFiles } from "../checkpoint/tracking.ts";
import { type ChangeLedger, lastRoot, lineTo, loadLedger } from "../session/change-ledger.ts";
import { type SessionPaths, sessionFolder } from "../session/paths.ts";
import { projectRoot } from "../session/project.ts";
import { restoresFolder } from "./pending-restores.ts";

export interface UndoPlace {
  readonly project: ProjectFiles;
  /** Where a restore leaves what the next start has to finish. */
  readonly restores: string;
  readonly settings: UndoSettings;
}

/** For a session on disk; an open agent knows it better. Reads the journal. */
export async function undoPlaceOf(
  paths: SessionPaths,
  workingDirectory: string,
  { cwd, env, undo = {} }: { readonly cwd: string; readonly env: Environment; readonly undo?: UndoSettings },
): Promise<UndoPlace> {
  // A session that somebody put elsewhere may say anything: it has a say in this project alone.
  const isOurs = paths.folder === sessionFolder(env);
  const worked = isOurs ? ((await lastRoot(paths)) ?? projectRoot(workingDirectory)) : null;
  const root = worked !== null && existsSync(worked) ? worked : projectRoot(cwd);
  const ledger = isOurs ? await loadLedger(paths, root) : null;
  const added = ledger === null ? [] : foldersOutside(ledger);
  const project: ProjectFiles = { root, addedFolders: () => added };
  return { project, restores: restoresFolder(env), settings: undo };
}

/**
 * The folders in which the session changed files outside the project: they had been added to it. What is no folder of
 * its own, but a link to somewhere else, doesn't count.
 */
function foldersOutside(ledger: ChangeLedger): readonly string[] {
  const lines = [ledger.tip, ...ledger.restores.map(({ left }) => left)].flatMap(lineTo);
  const paths = lines.flatMap(({ files }) => files.flatMap(({ changes }) => changes.map(({ path }) => path)));
  const folders = new Set(paths.filter(isAbsolute).map(existingFolder));
  return [...folders].filter((folder) => realpathSync(folder) === folder);
}

function existingFolder(path: string): string {
  const folder = dirname(path);
  return folder === path || existsSync(folder) ? folder : existingFolder(folder);
}
