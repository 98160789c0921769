// A restore where the disk, git, permissions or another process make it harder.
import { afterEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { pictureOf } from "../../test/support/changed-tree.ts";
import { withoutLinks } from "../../test/support/killed-restore.ts";
import {
  changed,
  newLabFolder,
  openLab,
  type RestoreLab,
  text,
  undo,
  whys,
  write,
} from "../../test/support/restore-lab.ts";
import { nodeCalls } from "./restore-calls.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

async function newLab(options?: Parameters<typeof openLab>[1]): Promise<RestoreLab> {
  const folder = newLabFolder();
  folders.push(folder);
  return await openLab(folder, options);
}

const isRoot = process.geteuid?.() === 0;
const NOBODY = 65_534;

/** Root may do everything, so it is somebody else for a while. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

function asRoot(work: () => void): void {
  if (!isRoot) return;
  process.seteuid?.(0);
  work();
  process.seteuid?.(NOBODY);
}

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

test("a folder that its owner may not write to gets its files back, and stays as it was", async () => {
  await asNobody(async () => {
    const lab = await newLab();
    const changes = await changed(
      lab,
      "locked/a=old; locked/b=b; locked/deep/c=c",
      "locked/a=new; locked/deep/c=c",
    );
    fs.chmodSync(join(lab.root, "locked"), 0o555);
    const result = await undo(lab, changes);
    expect([text(lab, "locked/a"), text(lab, "locked/b"), whys(result)]).toEqual(["old", "b", []]);
    expect(fs.statSync(join(lab.root, "locked")).mode & 0o777).toBe(0o555);
    fs.chmodSync(join(lab.root, "locked"), 0o755);
  });
});

test("a file that nobody may read, or whose folder is somebody else's, is a conflict and stops no other", async () => {
  await asNobody(async () => {
    const lab = await newLab();
    const changes = await changed(lab, "a=old; b=old; in/c=old", "a=new; b=new; in/c=new");
    fs.chmodSync(join(lab.root, "a"), 0);
    asRoot(() => fs.chownSync(join(lab.root, "in"), 0, 0));
    const result = await undo(lab, changes);
    expect(whys(result)).toEqual(["a: can't be kept", ...(isRoot ? ["in/c: failed"] : [])]);
    expect(text(lab, "b")).toBe("old");
    if (isRoot) expect(result.conflicts.at(-1)?.detail).toBe("The file system refused it (EACCES).");
  });
});

test("on a disk without hard links files come back as well, and nothing of somebody else is replaced", async () => {
  const lab = await newLab({ calls: withoutLinks(nodeCalls) });
  const changes = await changed(lab, "a=old 0750; b=b", "a=new; c=made");
  const result = await undo(lab, changes);
  expect([text(lab, "a"), text(lab, "b"), text(lab, "c"), whys(result)]).toEqual(["old", "b", null, []]);
  expect(fs.statSync(join(lab.root, "a")).mode & 0o777).toBe(0o750);
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
