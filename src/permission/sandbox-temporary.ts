// A private temporary folder for the commands of one session. It is mounted over the machine's own, which hold files
// and sockets of other programs. What is there already can be read, and not written.
import type { Dirent } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWithin } from "../base/real-path.ts";
import { guardedName } from "./guarded-paths.ts";
import { temporaryFolders } from "./temporary-folders.ts";

export interface PrivateFolder {
  readonly path: string;
  /** Where temporary files are, on the machine and in the private folder, outermost first. */
  readonly places: readonly TemporaryPlace[];
  /** Mounted over what can't be read: an empty file, an empty folder. */
  readonly emptyFile: string;
  readonly emptyFolder: string;
  readonly remove: () => Promise<void>;
}

interface TemporaryPlace {
  readonly path: string;
  readonly own: string;
}

/** More are not shown, because each costs a mount: only those that the command needs or names. */
const MOST_SHOWN = 50;

export async function createPrivateFolder(): Promise<PrivateFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "tunacode-sandbox-")));
  const emptyFile = join(path, "no-file");
  const emptyFolder = join(path, "no-folder");
  await writeFile(emptyFile, "", { mode: 0o000 });
  await mkdir(emptyFolder);
  const places = temporaryFolders().map((place, index) => ({ path: place, own: join(path, `${index}`) }));
  await Promise.all(places.map(({ own }) => mkdir(own)));
  await chmod(emptyFolder, 0o000);
  const remove = async () => {
    await chmod(emptyFolder, 0o700).catch(() => {});
    await rm(path, { recursive: true, force: true });
  };
  return { path, places, emptyFile, emptyFolder, remove };
}

/** The files and folders at a temporary place that the command sees. */
export async function shownEntries(
  { path: place, own }: TemporaryPlace,
  { path: ours, places }: PrivateFolder,
  needed: readonly string[],
  script: string,
): Promise<readonly string[]> {
  const covered = (path: string) =>
    isWithin(ours, path) || (path !== place && places.some((other) => other.path === path));
  const isNeeded = (path: string) => needed.some((one) => isWithin(one, path));
  const entries = (await readdir(place, { withFileTypes: true }).catch(() => [])).flatMap((entry) => {
    const path = join(place, entry.name);
    if (!entry.isFile() && !entry.isDirectory()) return [];
    if (covered(path) || (guardedName(entry.name).secret && !isNeeded(path))) return [];
    return [{ path, entry }];
  });
  const few = entries.length <= MOST_SHOWN;
  const wanted = entries.filter(({ path }) => few || isNeeded(path) || script.includes(path));
  const shown = await Promise.all(
    wanted.map(async ({ path, entry }) => ((await fits(join(own, entry.name), entry)) ? path : [])),
  );
  return shown.flat();
}

/** An earlier command may have put something else in the place where it would be mounted. */
async function fits(own: string, entry: Dirent): Promise<boolean> {
  const there = await lstat(own).catch(() => null);
  return there === null || (entry.isFile() ? there.isFile() : there.isDirectory());
}
