import { afterEach, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import {
  changesBetween,
  changeTree,
  describePicture,
  pictureOf,
  seededNumbers,
} from "../../test/support/changed-tree.ts";
import {
  changed,
  newLabFolder,
  openLab,
  type RestoreLab,
  text,
  undo,
  whys,
} from "../../test/support/restore-lab.ts";
import type { FileChange } from "../domain/file-change.ts";
import { DEFAULT_CAPS } from "./content-store.ts";
import { nodeCalls } from "./restore-calls.ts";

const ROUNDS = process.env["TUNACODE_LONG"] === "1" ? 3_000 : 5;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

async function newLab(options?: Parameters<typeof openLab>[1]): Promise<RestoreLab> {
  const folder = newLabFolder();
  folders.push(folder);
  return await openLab(folder, options);
}

test("every change of a tree is taken back, and redo brings it again", async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seededNumbers(seed * 7919);
    const { root, restorer, keepAll, intents, folder } = await newLab();
    for (let step = 0; step < 12; step++) changeTree(root, random);
    const before = pictureOf(root);
    await keepAll();
    for (let step = 0; step < 12; step++) changeTree(root, random);
    const after = pictureOf(root);
    const plan = await restorer.plan(changesBetween(before, after));
    expect(plan.conflicts).toEqual([]);
    const undone = await restorer.carryOut(plan, "undo", new Set());
    expect([seed, ...undone.conflicts]).toEqual([seed]);
    expect([seed, ...describePicture(pictureOf(root))]).toEqual([seed, ...describePicture(before)]);
    const redone = await restorer.carryOut(await restorer.plan(undone.changes), "redo", new Set());
    expect([seed, ...redone.conflicts]).toEqual([seed]);
    expect([seed, ...describePicture(pictureOf(root))]).toEqual([seed, ...describePicture(after)]);
    await restorer.settle("undo");
    await restorer.settle("redo");
    expect(fs.readdirSync(intents)).toEqual([]);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}, 900_000);

test("a file that somebody changed since is a conflict until the person says so, and redo brings it back", async () => {
  const lab = await newLab();
  const changes = await changed(lab, "a=old; b=old", "a=new; b=new");
  fs.writeFileSync(join(lab.root, "a"), "mine");
  expect(whys(await undo(lab, changes))).toEqual(["a: changed since"]);
  expect([text(lab, "a"), text(lab, "b")]).toEqual(["mine", "old"]);
  const result = await undo(lab, changes, ["a"]);
  expect([text(lab, "a"), whys(result)]).toEqual(["old", []]);
  await undo(lab, result.changes);
  expect(text(lab, "a")).toBe("mine");
});

test("a file is compared by its bytes and not by its times", async () => {
  const lab = await newLab();
  const changes = await changed(lab, "a=old", "a=new");
  const { atime, mtime } = fs.statSync(join(lab.root, "a"));
  fs.writeFileSync(join(lab.root, "a"), "NEW");
  fs.utimesSync(join(lab.root, "a"), atime, mtime);
  expect(whys(await undo(lab, changes))).toEqual(["a: changed since"]);
});

test("what can't be kept is not overwritten", async () => {
  const lab = await newLab({ caps: { ...DEFAULT_CAPS, fileBytes: 100 } });
  const changes = await changed(lab, "a=old", `a=${"x".repeat(101)}`);
  expect(whys(await undo(lab, changes, ["a"]))).toEqual(["a: can't be kept"]);
  expect(text(lab, "a")).toHaveLength(101);
  const full = await newLab({ caps: { ...DEFAULT_CAPS, sessionBytes: 100 } });
  const grown = await changed(full, "a=old", `a=${"x".repeat(101)}`);
  expect(whys(await undo(full, grown))).toEqual(["a: can't be kept"]);
});

test("what was not kept, or was damaged in the store, leaves what is there", async () => {
  const lab = await newLab();
  const changes = await changed(lab, "a=old; b=other", "a=new; b=new");
  const blob = fs.readdirSync(join(lab.folder, "blobs"), { recursive: true, encoding: "utf8" });
  for (const name of blob) {
    const path = join(lab.folder, "blobs", name);
    if (fs.statSync(path).isFile()) fs.writeFileSync(path, "damaged");
  }
  expect(whys(await undo(lab, changes))).toEqual(["a: not kept", "b: not kept"]);
  expect(text(lab, "a")).toBe("new");
});

test("a symlink in place of a folder is never followed", async () => {
  const lab = await newLab();
  const changes = await changed(lab, "in/a=old; in/deep/c=old", "in/a=new; in/b=made; in/deep/c=new");
  const outside = join(lab.folder, "outside");
  fs.renameSync(join(lab.root, "in"), outside);
  fs.symlinkSync(outside, join(lab.root, "in"));
  const paths = ["in/a", "in/b", "in/deep/c"];
  expect(whys(await undo(lab, changes, paths))).toEqual(paths.map((path) => `${path}: in the way`));
  expect(["a", "b", "deep/c"].map((path) => fs.readFileSync(join(outside, path), "utf8"))).toEqual([
    "new",
    "made",
    "new",
  ]);
});

test("a path that is not in the project, or belongs to git, is never touched", async () => {
  const lab = await newLab();
  fs.writeFileSync(join(lab.folder, "victim"), "v");
  for (const path of [
    "../victim",
    join(lab.folder, "victim"),
    ".git/config",
    "x/../../victim",
    "",
    "/",
    ".GIT/config",
  ]) {
    const [change] = await changed(lab, "v=v", "");
    fs.mkdirSync(join(lab.root, ".git"), { recursive: true });
    fs.writeFileSync(join(lab.root, ".git/config"), "v");
    if (change === undefined) throw new Error("Nothing has changed.");
    const made: FileChange = { path, before: change.after, after: change.before };
    expect(whys(await undo(lab, [made], [path]))).toEqual([`${path}: in the way`]);
  }
  expect(fs.existsSync(join(lab.folder, "victim"))).toBe(true);
});

test("a folder that the run made stays while somebody else has files in it", async () => {
  const lab = await newLab();
  const changes = await changed(lab, "", "made/deep/a=a");
  fs.writeFileSync(join(lab.root, "made/mine"), "mine");
  const result = await undo(lab, changes);
  expect(whys(result)).toEqual(["made: not empty"]);
  expect(fs.readdirSync(join(lab.root, "made"))).toEqual(["mine"]);
});

test("a folder that somebody removed comes back with the file that was in it", async () => {
  const lab = await newLab();
  const changes = await changed(lab, "in/deep/a=old; in/b=b", "in/deep/; in/b=b");
  fs.rmSync(join(lab.root, "in"), { recursive: true });
  const result = await undo(lab, changes);
  expect([text(lab, "in/deep/a"), whys(result)]).toEqual(["old", []]);
  await undo(lab, result.changes);
  expect(fs.existsSync(join(lab.root, "in"))).toBe(false);
});

test("a version that somebody wrote, and replaced while it was moved away, is kept beside it", async () => {
  const lab = await newLab({
    calls: {
      ...nodeCalls,
      renameSync: (from, to) => {
        const isMove = String(to).endsWith("-old");
        if (isMove) fs.writeFileSync(String(from), "theirs");
        fs.renameSync(from, to);
        if (isMove) fs.writeFileSync(String(from), "theirs, too");
      },
    },
  });
  const result = await undo(lab, await changed(lab, "a=old", "a=new"));
  expect([whys(result), result.changes, text(lab, "a")]).toEqual([["a: changed since"], [], "theirs, too"]);
  const aside = fs.readdirSync(lab.root).find((name) => name !== "a") ?? "";
  expect(text(lab, aside)).toBe("theirs");
  expect(result.conflicts[0]?.detail).toContain(aside);
});
