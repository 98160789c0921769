// Where a command in the sandbox may write, what it can't write there, and what it can't even read: made for each
// command from what exists when it starts. A file that doesn't exist is not mounted over, because that would leave an
// empty one in the project; what a command makes of that kind is set aside when it has ended.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin, linksOnDisk, NOT_UTF8, realPath } from "../base/real-path.ts";
import {
  guardedName,
  isObeyed,
  isSecret,
  obeyedPlaces,
  SECRET_FOLDERS,
  SECRET_HOME_PATHS,
} from "./guarded-paths.ts";
import { type Survey, surveyFolders } from "./sandbox-survey.ts";
import type { SandboxReach } from "./sandboxed-command.ts";

export interface SandboxMounts {
  /** All are real paths that exist. What is deeper and what is stricter wins. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly hidden: readonly string[];
  /** Folders of ours that are hidden but for the project, which is in them: it is a worktree that we made. */
  readonly around: readonly string[];
  readonly survey: Survey;
  /** The folders of which all is known, so that what is new there can be told. */
  readonly watched: readonly string[];
  /** Why mounts can't hold a command here; null if they can. */
  readonly gap: string | null;
}

/** What belongs to us, and not to a project. */
export interface OwnPlaces {
  /** Programs that we run outside. */
  readonly programs: readonly string[];
  /** Sessions, configuration, what is set aside. */
  readonly private: readonly string[];
}

/** 400 mounts take a quarter of a second. */
const MOST_MOUNTS = 400;
/** Of a folder that isn't part of the project. The person allowed writing in all of it. */
const MOST_ELSEWHERE = 20_000;

export async function sandboxMounts(reach: SandboxReach, own: OwnPlaces): Promise<SandboxMounts> {
  const { root, home, addedFolders = [] } = reach;
  const project = existing([root, ...addedFolders]);
  const elsewhere = existing(reach.writableFolders).filter(
    (folder) => !project.some((part) => isWithin(folder, part)),
  );
  const caches = existing(reach.caches ?? []);
  const survey = await surveyFolders(outermost(project));
  const others = await Promise.all(
    outermost(elsewhere.filter((folder) => !caches.includes(folder))).map(async (folder) => ({
      folder,
      found: await surveyFolders([folder], { mostEntries: MOST_ELSEWHERE }),
    })),
  );
  const all = [survey, ...others.map(({ found }) => found)];
  const seen = others.filter(({ found }) => found.unseen.length === 0);
  const around = foldersAround(existing([root]), existing(own.private));
  const isOurs = (path: string) => around.some((folder) => isWithin(path, folder));
  const inProject = (path: string) => project.some((folder) => isWithin(path, folder));
  const hidden = outermost(
    existing([
      ...all.flatMap(({ secrets }) => secrets),
      ...(await secretsInHome(home)),
      ...reach.unreadable,
      ...own.private,
    ]).filter((path) => !isOurs(path) || inProject(path)),
  ).filter((path) => !isKernels(path));
  const isHidden = (path: string) =>
    hidden.some((folder) => isWithin(path, folder)) || (isOurs(path) && !inProject(path));
  const writable = [...project, ...elsewhere.filter((folder) => !isHidden(folder))];
  const obeyed = new Map(all.flatMap((each) => [...each.obeyed]));
  const targets = [...obeyed].flatMap(([path, link]) => (link === null ? path : (link.target ?? [])));
  const readOnly = outermost(existing([...targets, ...reach.unwritable, ...own.programs])).filter(
    (path) => !isKernels(path) && !isHidden(path) && writable.some((folder) => isWithin(path, folder)),
  );
  const folders = new Set(all.flatMap((each) => [...each.folders]));
  const watched = [...outermost(project), ...seen.map(({ folder }) => folder)];
  const mounts = { writable, readOnly, hidden, around, watched, survey: { ...survey, obeyed, folders } };
  return { ...mounts, gap: gapIn(mounts, project, home) };
}

/** Only mounts can open a part of what is hidden. */
function foldersAround([root]: readonly string[], own: readonly string[]): readonly string[] {
  if (process.platform !== "linux" || root === undefined) return [];
  return own.filter((folder) => root !== folder && isWithin(root, join(folder, "worktrees")));
}

/** Says no for the whole project rather than hold a part of it. */
function gapIn(
  { readOnly, hidden, survey, ...rest }: Omit<SandboxMounts, "gap">,
  project: readonly string[],
  home: string,
): string | null {
  const isInside = project.some((folder) => isObeyed(folder, home) || isSecret(`${folder}/x`, home));
  if (isInside || project.some((folder) => [...readOnly, ...hidden].some((path) => isWithin(folder, path))))
    return "The project is in a folder that commands may not write or read.";
  // A home folder as a whole is full of what programs obey without a name that tells.
  const place = obeyedPlaces(home).find((each) =>
    project.some((folder) => isWithin(each, folder) || isWithin(folder, each)),
  );
  if (place !== undefined) return `Other programs obey what is in ${place}, and that is part of the project.`;
  if ([...survey.obeyed.keys()].some((path) => path.includes(NOT_UTF8)))
    return "A folder in the project has a name that is not UTF-8, so what is in it can't be guarded.";
  if (survey.unseen.length > 0) return "The project has too many files to find those that must be guarded.";
  if (readOnly.length + hidden.length + pins({ readOnly, hidden, ...rest }).length > MOST_MOUNTS)
    return "The project has too many files that must be guarded.";
  const [doubled] = survey.doubled;
  return doubled === undefined
    ? null
    : `${doubled} has a second name, a hard link, by which it can be changed or read.`;
}

/**
 * The folders between a guarded path and the folder in which it can be written. Mounted beneath everything else, they
 * stay as writable as they were, but can't be renamed, which would take what is guarded out of its place.
 */
export function pins({
  writable,
  readOnly,
  hidden,
}: Pick<SandboxMounts, "writable" | "readOnly" | "hidden">): readonly string[] {
  const found = new Set<string>();
  for (const path of [...readOnly, ...hidden, ...writable]) {
    const above = (folder: string) => writable.some((root) => root !== folder && isWithin(folder, root));
    for (let folder = dirname(path); above(folder) && !found.has(folder); folder = dirname(folder))
      found.add(folder);
  }
  return [...found].sort(byDepth);
}

export function byDepth(one: string, other: string): number {
  return one.split("/").length - other.split("/").length;
}

/** Tokens and keys at their usual places; elsewhere in the home folder nobody looks for them. */
async function secretsInHome(home: string): Promise<readonly string[]> {
  const names = await readdir(home, { withFileTypes: true }).catch(() => []);
  const top = names.filter((entry) => guardedName(entry.name).secret && !entry.isDirectory());
  return [...SECRET_FOLDERS, ...SECRET_HOME_PATHS, ...top.map(({ name }) => name)].map((path) =>
    join(home, path),
  );
}

function existing(paths: readonly string[]): readonly string[] {
  const real = paths.flatMap((path) => realPath(path, linksOnDisk) ?? []);
  return [...new Set(real)].filter((path) => existsSync(path));
}

function outermost(paths: readonly string[]): readonly string[] {
  const kept = new Set<string>();
  for (const path of [...paths].sort(byDepth)) {
    let folder = dirname(path);
    while (folder !== "/" && !kept.has(folder)) folder = dirname(folder);
    if (!kept.has(folder)) kept.add(path);
  }
  return [...kept];
}

function isKernels(path: string): boolean {
  return ["/dev", "/proc", "/sys"].some((folder) => isWithin(path, folder));
}
