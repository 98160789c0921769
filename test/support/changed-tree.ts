// A folder of files that changes at random, and what changed in it, found by reading everything.
import * as fs from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { ABSENT, type FileChange, type FileImage } from "../../src/domain/file-change.ts";

/** Every path with its image. */
export type TreePicture = ReadonlyMap<string, FileImage>;

export function pictureOf(root: string): TreePicture {
  const picture = new Map<string, FileImage>();
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of fs.readdirSync(join(root, folder)).sort()) {
      if (name === ".git") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      picture.set(path, imageAt(join(root, path)));
      if (picture.get(path)?.type === "folder") waiting.push(path);
    }
  }
  return picture;
}

export function imageAt(path: string): FileImage {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return ABSENT;
  const mode = stat.mode & 0o7777;
  if (stat.isSymbolicLink()) return { type: "link", target: fs.readlinkSync(path) };
  if (stat.isDirectory()) return { type: "folder", mode };
  if (!stat.isFile()) return { type: "special" };
  return { type: "file", content: `sha256:${sha256(fs.readFileSync(path))}`, mode, size: stat.size };
}

export function changesBetween(before: TreePicture, after: TreePicture): readonly FileChange[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => {
    const change = { path, before: before.get(path) ?? ABSENT, after: after.get(path) ?? ABSENT };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

/** As lines, so that a failing test shows the difference. */
export function describePicture(picture: TreePicture): readonly string[] {
  return [...picture].map(([path, image]) => `${path} ${JSON.stringify(image)}`).sort();
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

const NAMES = ["a", "b", "c", "ä ö", "-x", "*", ".h"];
const MODES = [0o644, 0o600, 0o755, 0o444];
const FOLDER_MODES = [0o755, 0o700, 0o555, 0o2755];

/** One random step: writes, removes, links, turns one kind of thing into another, changes a mode. */
export function changeTree(root: string, random: () => number): void {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error("Nothing to pick from.");
    return item;
  };
  const names = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(NAMES));
  const kind = pick(["write", "write", "write", "folder", "link", "remove", "mode"]);
  for (let depth = 1; depth < names.length; depth++) {
    const parent = join(root, ...names.slice(0, depth));
    if (fs.lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    fs.rmSync(parent, { force: true });
    fs.mkdirSync(parent);
  }
  const path = join(root, ...names);
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (kind === "mode") {
    if (stat?.isFile()) fs.chmodSync(path, pick(MODES));
    if (stat?.isDirectory()) fs.chmodSync(path, pick(FOLDER_MODES));
    return;
  }
  fs.rmSync(path, { recursive: true, force: true });
  if (kind === "folder") fs.mkdirSync(path, { mode: pick(FOLDER_MODES) });
  else if (kind === "link") fs.symlinkSync(pick(["a", "../b", "/nowhere", root]), path);
  else if (kind === "write") {
    fs.writeFileSync(path, `${Math.floor(random() * 6)}\n`.repeat(Math.floor(random() * 4)));
    fs.chmodSync(path, pick(MODES));
  }
}
