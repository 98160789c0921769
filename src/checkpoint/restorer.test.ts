import { afterEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import {
  changesBetween,
  changeTree,
  describePicture,
  pictureOf,
  seededNumbers,
} from "../../test/support/changed-tree.ts";
import { newLabFolder, openLab, type RestoreLab } from "../../test/support/restore-lab.ts";
import type { FileChange } from "../domain/file-change.ts";
import { DEFAULT_CAPS } from "./content-store.ts";
import { nodeCalls } from "./restore-calls.ts";
import type { RestorePlan } from "./restore-plan.ts";
import type { RestoreResult } from "./restoring.ts";

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

/** What a run did, from one notation to another: `path=text`, `path/`, `path->target`, and after a space the mode. */
async function changed(lab: RestoreLab, before: string, after: string): Promise<readonly FileChange[]> {
  write(lab.root, before);
  const was = pictureOf(lab.root);
  await lab.keepAll();
  write(lab.root, after);
  return changesBetween(was, pictureOf(lab.root));
}

function write(root: string, notation: string): void {
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(root);
  for (const line of notation.split("; ").filter((each) => each !== "")) {
    const [, path = "", kind, value = "", mode] = /^(.+?)(=|->|\/$)(\S*)(?: (\d+))?$/.exec(line) ?? [];
    const place = join(root, path);
    fs.mkdirSync(dirname(place), { recursive: true });
    if (kind === "=") fs.writeFileSync(place, value);
    else if (kind === "->") fs.symlinkSync(value, place);
    else fs.mkdirSync(place, { recursive: true });
    if (mode !== undefined) fs.chmodSync(place, Number.parseInt(mode, 8));
  }
}

function whys({ conflicts }: Pick<RestorePlan, "conflicts">): readonly string[] {
  return conflicts.map(({ path, why }) => `${path}: ${why}`).sort();
}

function text({ root }: RestoreLab, path: string): string | null {
  return fs.existsSync(join(root, path)) ? fs.readFileSync(join(root, path), "utf8") : null;
}

async function undo(
  { restorer }: RestoreLab,
  changes: readonly FileChange[],
  overwrite: readonly string[] = [],
): Promise<RestoreResult> {
  return await restorer.carryOut(await restorer.plan(changes), "restore_unit", new Set(overwrite));
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

test("a file that git has comes back from git, and one that is as git has it is known by git's name", async () => {
  const lab = await newLab();
  write(lab.root, "a=old");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: lab.root,
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  const blob = git("rev-parse", "HEAD:a").trim();
  const image = { type: "file", mode: 0o644, size: 3 } as const;
  fs.writeFileSync(join(lab.root, "a"), "new");
  const now = pictureOf(lab.root).get("a");
  if (now === undefined) throw new Error("There is no file.");
  const result = await undo(lab, [{ path: "a", before: { ...image, content: `git:${blob}` }, after: now }]);
  expect([text(lab, "a"), whys(result)]).toEqual(["old", []]);
  await undo(lab, result.changes);
  expect(text(lab, "a")).toBe("new");
  fs.writeFileSync(join(lab.root, "a"), "old");
  const removed = { path: "a", before: now, after: { ...image, content: `git:${blob}` } } as const;
  expect(whys(await undo(lab, [removed]))).toEqual([]);
  expect(text(lab, "a")).toBe("new");
});

test("on a disk without hard links files come back as well, and nothing of somebody else is replaced", async () => {
  const lab = await newLab({
    calls: {
      ...nodeCalls,
      linkSync: () => {
        throw Object.assign(new Error("no links"), { code: "EPERM" });
      },
    },
  });
  const changes = await changed(lab, "a=old 0750; b=b", "a=new; c=made");
  const result = await undo(lab, changes);
  expect([text(lab, "a"), text(lab, "b"), text(lab, "c"), whys(result)]).toEqual(["old", "b", null, []]);
  expect(fs.statSync(join(lab.root, "a")).mode & 0o777).toBe(0o750);
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

test.skipIf(process.platform !== "linux")("two processes don't finish the same restore", async () => {
  const lab = await newLab();
  const changes = await changed(lab, "a=old", "a=new");
  await undo(lab, changes);
  const [name = ""] = fs.readdirSync(lab.intents);
  // A process that runs: this one's parent.
  const started =
    fs.readFileSync(`/proc/${process.ppid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "";
  const theirs = name.replace(/\.\d+\.\d+\.json$/, `.${process.ppid}.${started}.json`);
  fs.renameSync(join(lab.intents, name), join(lab.intents, theirs));
  expect(await lab.restorer.recover()).toEqual([]);
  fs.renameSync(join(lab.intents, theirs), join(lab.intents, theirs.replace(/\.\d+\.json$/, ".1.json")));
  expect((await lab.restorer.recover()).map(({ restoreId }) => restoreId)).toEqual(["restore_unit"]);
  await lab.restorer.settle("restore_unit");
  expect(await lab.restorer.recover()).toEqual([]);
});
