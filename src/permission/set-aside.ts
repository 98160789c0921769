// What a command in the sandbox made and other programs obey is moved out of the project as soon as it has ended. It
// comes back only if the person says so.

import {
  constants,
  copyFile,
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import { NOT_UTF8 } from "../base/real-path.ts";
import { errorMessage } from "../domain/error.ts";
import { type Link, readLinkAt, type Survey, surveyFolders } from "./sandbox-survey.ts";
import type { SetAside } from "./sandboxed-command.ts";

/** What there was before the command: see Survey. */
export interface Before extends Pick<Survey, "obeyed"> {
  readonly roots: readonly string[];
  /** Absent after a crash, when only the rest is known. */
  readonly folders?: ReadonlySet<string>;
  /** When it started, in milliseconds. */
  readonly since: number;
}

/** If there are more, the new folders that they are in are moved as a whole. */
const MOST_SINGLE = 50;

/** `keepIn` is a private folder; what is moved gets folders of its own there. */
export async function setAside(before: Before, keepIn: string): Promise<readonly SetAside[]> {
  const known = before.folders ?? new Set(before.roots);
  const now = await surveyFolders(before.roots, { known, guarded: before.obeyed });
  const isNew = (folder: string) => isNewFolder(folder, before);
  const made: string[] = [];
  for (const [path, link] of now.obeyed) if (!isSame(before.obeyed, path, link)) made.push(path);
  const unseen = await filtered(now.unseen, isNew);
  const paths =
    unseen.length === 0 && made.length <= MOST_SINGLE ? made : await newTops([...made, ...unseen], isNew);
  const moved: SetAside[] = [];
  const left: string[] = [];
  for (const path of paths) {
    const keptIn = join(keepIn, crypto.randomUUID(), basename(path));
    try {
      if (await moveOut(path, keptIn)) moved.push({ path, keptIn });
      await restoreLink(path, before.obeyed.get(path) ?? null);
    } catch (error) {
      left.push(`${path} (${errorMessage(error)})`);
    }
  }
  // A symlink can't be mounted read-only, so it may just be gone. Without its folder there is nothing to restore.
  for (const [path, link] of before.obeyed)
    if (!now.obeyed.has(path)) await restoreLink(path, link).catch(() => {});
  if (left.length > 0)
    throw new Error(
      `The command made what other programs obey, and it could not be moved away: ${left.join(", ")}`,
    );
  return moved;
}

/** What was there was mounted read-only, but a symlink can be replaced, and so can what it leads to. */
function isSame(before: Survey["obeyed"], path: string, link: Link | null): boolean {
  const earlier = before.get(path);
  if (earlier === undefined) return false;
  return earlier?.text === link?.text && earlier?.target === link?.target;
}

async function restoreLink(path: string, link: Link | null): Promise<void> {
  if (link === null) return;
  await inFolder(dirname(path), async (folder) => {
    const place = join(folder, basename(path));
    await symlink(link.text, place).catch(() => {});
    // If it leads elsewhere now, or has become something else, it isn't the link that it was.
    const again = await readLinkAt(place);
    if (again !== null && again.target !== link.target) await rm(place, { force: true });
  });
}

async function isNewFolder(folder: string, { folders, roots, since }: Before): Promise<boolean> {
  if (roots.includes(folder) || folders?.has(folder) === true) return false;
  if (folders !== undefined) return true;
  return ((await lstat(folder).catch(() => null))?.birthtimeMs ?? 0) >= since;
}

async function filtered(
  paths: readonly string[],
  test: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const path of paths) if (await test(path)) kept.push(path);
  return kept;
}

/** The outermost new folder of each path, or the path itself. */
async function newTops(
  paths: readonly string[],
  isNew: (folder: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const tops = new Set<string>();
  for (const path of paths) {
    let top = path;
    while (await isNew(dirname(top))) top = dirname(top);
    tops.add(top);
  }
  return [...tops];
}

/** False if nothing is there any more. */
async function moveOut(path: string, keptIn: string): Promise<boolean> {
  await mkdir(dirname(keptIn), { recursive: true, mode: 0o700 });
  return await inFolder(dirname(path), async (folder) => {
    const source = basename(path).includes(NOT_UTF8)
      ? await gathered(folder, basename(path))
      : join(folder, basename(path));
    const stat = await lstat(source).catch(() => null);
    if (stat === null) return false;
    // Under another name that the file still has in the project, a command could change what is kept.
    if (stat.isFile() && stat.nlink > 1) {
      await copyFile(source, keptIn, constants.COPYFILE_EXCL);
      await rm(source);
      return true;
    }
    try {
      await rename(source, keptIn);
    } catch (error) {
      if (!isOtherDisk(error)) throw error;
      await copyTree(source, keptIn);
      await rm(source, { recursive: true, force: true });
    }
    return true;
  });
}

/** Several names that are not UTF-8 may read the same, so a new folder takes all that is called so. */
async function gathered(folder: string, name: string): Promise<string> {
  const all = join(folder, crypto.randomUUID());
  await mkdir(all, { mode: 0o700 });
  const raw = (await readdir(folder, { encoding: "buffer" })).filter((each) => each.toString() === name);
  for (const [index, each] of raw.entries())
    await rename(Buffer.concat([Buffer.from(`${folder}/`), each]), join(all, `${index}`));
  return all;
}

/**
 * Returns why it can't be put back, or null. Never replaces anything. `shown` is the state in which the person saw it: a
 * command of another session that still has it open could change it until then.
 */
export async function putBack({ path, keptIn }: SetAside, shown: string): Promise<string | null> {
  const requireShown = async () => {
    if ((await stateOf(keptIn)) !== shown) throw new Error("it has changed since you were asked");
  };
  try {
    await inFolder(dirname(path), async (folder) => {
      const place = join(folder, basename(path));
      if ((await lstat(place).catch(() => null)) !== null) throw new Error("something else is there now");
      await requireShown();
      await copyTree(keptIn, place);
      if ((await lstat(place).catch(() => null)) === null) throw new Error("it is no file and no folder");
      await requireShown().catch(async (error) => {
        await rm(place, { recursive: true, force: true });
        throw error;
      });
    });
    await rm(dirname(keptIn), { recursive: true, force: true });
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Differs as soon as anything in it was written: nobody can set the time of a change. */
export async function stateOf(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null) return `${path} is gone`;
  const own = [path, stat.ino, stat.mode, stat.size, stat.ctimeMs].join(" ");
  if (!stat.isDirectory()) return own;
  const lines = [own];
  for (const name of (await readdir(path).catch(() => [])).sort())
    lines.push(await stateOf(join(path, name)));
  return lines.join("\n");
}

/** Leaves out what is neither a file, a folder nor a symlink. The copies have no second names. */
async function copyTree(from: string, to: string): Promise<void> {
  const isPlain = async (path: string) => {
    const stat = await lstat(path);
    return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
  };
  const verbatim = { verbatimSymlinks: true, force: false, errorOnExist: true };
  await cp(from, to, { recursive: true, filter: isPlain, ...verbatim });
}

/**
 * Works in the folder that is at this path now, through a handle: another command could put a symlink in its place
 * meanwhile. Without /proc that can't be done, and the path is checked instead.
 */
async function inFolder<Result>(path: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const through = `/proc/self/fd/${handle.fd}`;
    const real = await readlink(through).catch(() => null);
    if (real !== null && real !== path) throw new Error(`${path} leads elsewhere now`);
    return await work(real === null ? path : through);
  } finally {
    await handle.close();
  }
}

function isOtherDisk(error: unknown): boolean {
  return failureCode(error) === "EXDEV";
}
