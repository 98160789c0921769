import { expect, test } from "bun:test";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { indexedProject, NEVER, shown } from "../../test/support/indexed-project.ts";
import { nameBytes } from "./file-bytes.ts";
import { isFreshAt } from "./file-look.ts";
import { TreeIndex } from "./tree-index.ts";

const REPOSITORY = "git init -q; echo one > a; mkdir d; echo two > d/b; git add -A; git commit -qm first";

test("changes of every kind are told with what was there before", async () => {
  await using project = await indexedProject(
    "echo 1 > a; echo 2 > b; mkdir d e; echo 3 > d/c; ln -s a l; echo x > k",
  );
  await project.begin();
  const script =
    "echo more >> a; rm b; mv d f; rmdir e; ln -sfn b l; chmod 600 k; mkdir -p new/deep; echo 4 > new/deep/x; mkfifo p";
  expect(await project.changes(script)).toEqual([
    "a: sha256 2 -> sha256 7",
    "b: sha256 2 -> absent",
    "d/c: sha256 2 -> absent",
    "d: folder 755 -> absent",
    "e: folder 755 -> absent",
    "f/c: absent -> sha256 2",
    "f: absent -> folder 755",
    "k: sha256 2 -> sha256 2",
    "l: link to a -> link to b",
    "new/deep/x: absent -> sha256 2",
    "new/deep: absent -> folder 755",
    "new: absent -> folder 755",
    "p: absent -> special",
  ]);
  expect(await project.changes("true")).toEqual([]);
});

test("a file becomes a folder, and a folder a file", async () => {
  await using project = await indexedProject("echo 1 > a; mkdir d; echo 2 > d/b");
  await project.begin();
  expect(await project.changes("rm -r a d; mkdir a; echo 3 > a/c; echo 4 > d")).toEqual([
    "a/c: absent -> sha256 2",
    "a: sha256 2 -> folder 755",
    "d/b: sha256 2 -> absent",
    "d: folder 755 -> sha256 2",
  ]);
});

test("a change that keeps size and times is found", async () => {
  await using project = await indexedProject("echo one > a");
  const at = new Date("2020-01-01T00:00:00Z");
  utimesSync(project.path("a"), at, at);
  await project.begin();
  writeFileSync(project.path("a"), "two\n");
  utimesSync(project.path("a"), at, at);
  expect((await project.index.refresh(NEVER)).map(shown)).toEqual(["a: sha256 4 -> sha256 4"]);
});

test("a change in the same tick as the look is found", async () => {
  await using project = await indexedProject("echo one > a");
  for (let round = 0; round < 50; round++) {
    writeFileSync(project.path("a"), `${round}-1`.padEnd(8));
    await project.index.refresh(NEVER);
    writeFileSync(project.path("a"), `${round}-2`.padEnd(8));
    expect((await project.index.refresh(NEVER)).length).toBe(1);
  }
});

test("a file whose times can't be trusted is compared by its bytes", async () => {
  await using project = await indexedProject("echo one > a");
  await project.begin();
  const changed = async (isFresh: boolean) => {
    const content = nameBytes(Buffer.from("old\n"), "sha256");
    const rows = [...project.index.rows()].map((row) => ({ ...row, content, isFresh }));
    const index = TreeIndex.fromRows({ root: project.root, addedFolders: () => [] }, project.store, rows);
    return (await index.refresh(NEVER)).length;
  };
  expect([await changed(false), await changed(true)]).toEqual([0, 1]);
  const now = Date.now() + 0.5;
  for (const [agoMs, isFresh] of Object.entries({ 0: true, 10: true, 100: false, 3000: false }))
    expect(isFreshAt({ changedMs: now - Number(agoMs) }, now)).toBe(isFresh);
  // A disk that counts in whole seconds.
  expect([999, 2_050, 2_999].map((ms) => isFreshAt({ changedMs: 1_000_000 }, 1_000_000 + ms))).toEqual([
    true,
    true,
    false,
  ]);
});

test("a file that is too large to be kept has changed if it looks like it", async () => {
  await using project = await indexedProject("head -c 200000 /dev/zero > large", { fileBytes: 150_000 });
  await project.begin();
  expect(await project.changes("head -c 200000 /dev/urandom > large")).toEqual([
    "large: unknown 200000 -> unknown 200000",
  ]);
  expect(await project.changes("true")).toEqual([]);
  expect(await project.changes("echo small > large")).toEqual(["large: unknown 200000 -> sha256 6"]);
});

test("what only looks different is no change", async () => {
  await using project = await indexedProject(`${REPOSITORY}; echo 3 > new`);
  await project.begin();
  expect(await project.changes("touch a new; cp a t; mv t a; ln new other; rm other; touch d")).toEqual([]);
});

test("git's files are not stored before their first change, and then only before the next write", async () => {
  await using project = await indexedProject(REPOSITORY);
  await project.begin();
  expect(project.store.bytes).toBe(0);
  expect(await project.changes("echo changed > a")).toEqual(["a: git 4 -> sha256 8"]);
  expect([project.store.bytes, project.index.isKept]).toEqual([0, false]);
  await project.index.keep(NEVER);
  expect([project.store.bytes, project.index.isKept]).toEqual([8, true]);
  expect(await project.changes("git checkout -q a")).toEqual(["a: sha256 8 -> git 4"]);
  expect(project.store.bytes).toBe(8);
});

test("a file that is changed back is git's again, without git", async () => {
  await using project = await indexedProject(REPOSITORY);
  await project.begin();
  await project.changes("echo changed > a");
  await project.index.keep(NEVER);
  expect(await project.changes("echo one > a")).toEqual(["a: sha256 8 -> git 4"]);
});

test("what a checkout brings is git's, and what it leaves in the way is ours", async () => {
  const script = `${REPOSITORY}; git checkout -qb other; for n in $(seq 250); do echo $n > f$n; done; echo changed > a; git add -A; git commit -qm second; git checkout -q -`;
  await using project = await indexedProject(script);
  await project.begin();
  const changes = await project.changes("echo mine > mine; git checkout -q other");
  expect(changes.length).toBe(252);
  expect(changes.filter((change) => !change.includes("-> git"))).toEqual(["mine: absent -> sha256 5"]);
  expect(project.store.bytes).toBe(5);
});

test("only the given paths are looked at, with the folders that appeared above and below them", async () => {
  await using project = await indexedProject("mkdir d; echo 1 > d/a; echo 2 > b");
  await project.begin();
  project.run("mkdir -p x/y; echo 3 > x/y/z; echo 4 > x/w; echo more >> d/a; echo more >> b");
  const seen = async (...names: string[]) =>
    (await project.index.refreshPaths(names.map(project.path), NEVER)).map(shown).toSorted();
  expect(await seen("x/y/z")).toEqual([
    "x/w: absent -> sha256 2",
    "x/y/z: absent -> sha256 2",
    "x/y: absent -> folder 755",
    "x: absent -> folder 755",
  ]);
  expect(await seen("b", "b", "nothing/here", "../outside")).toEqual(["b: sha256 2 -> sha256 7"]);
  project.run("rm -r d");
  expect(await seen("d")).toEqual(["d/a: sha256 2 -> absent", "d: folder 755 -> absent"]);
});

test("nothing is looked at through a symlink that took the place of a folder", async () => {
  await using project = await indexedProject(
    "mkdir -p d/e ../outside/e; echo 1 > d/e/a; echo secret > ../outside/e/a",
  );
  await project.begin();
  project.run("rm -r d; ln -s ../outside d");
  const changes = await project.index.refreshPaths([project.path("d/e/a")], NEVER);
  expect(changes.map(shown).toSorted()).toEqual([
    "d/e/a: sha256 2 -> absent",
    "d/e: folder 755 -> absent",
    "d: folder 755 -> link to ../outside",
  ]);
});

test("a refresh that is broken off loses nothing", async () => {
  await using project = await indexedProject("mkdir d");
  const all = Array.from({ length: 600 }, (_, number) => project.path(`d/${number}`));
  for (const path of all) writeFileSync(path, path);
  await project.begin();
  for (const path of all.slice(0, 400)) writeFileSync(path, "x".repeat(50_000) + path);
  for (const path of all.slice(400)) rmSync(path);
  project.run("mkdir e; touch e/a");
  const found: string[] = [];
  let brokenOff = 0;
  for (let ms = 0; ms < 20; ms++) {
    try {
      found.push(...(await project.index.refresh(AbortSignal.timeout(ms))).map(shown));
    } catch {
      brokenOff++;
    }
  }
  found.push(...(await project.index.refresh(NEVER)).map(shown));
  expect([found.length, new Set(found).size]).toEqual([602, 602]);
  expect(brokenOff).toBeGreaterThan(0);
});

test("a new file is found although the look that listed it was broken off before it", async () => {
  await using project = await indexedProject();
  const slowly = () => Bun.sleepSync(20);
  const index = new TreeIndex({ root: project.root, addedFolders: () => [] }, project.store, slowly);
  await index.build(NEVER);
  writeFileSync(project.path("new"), "");
  // A folder that has just changed is listed again anyway.
  await Bun.sleep(60);
  await expect(index.refresh(AbortSignal.abort())).rejects.toThrow();
  expect((await index.refresh(NEVER)).map(shown)).toEqual(["new: absent -> sha256 0"]);
});

test("an index that is read back tells what has changed since it was written", async () => {
  await using project = await indexedProject(`${REPOSITORY}; echo 3 > new; ln -s a l`);
  await project.begin();
  const rows = [...project.index.rows()];
  project.run("echo more >> a; rm new; ln -sfn d l; echo 5 > d/c");
  const back = TreeIndex.fromRows({ root: project.root, addedFolders: () => [] }, project.store, rows);
  expect((await back.refresh(NEVER)).map(shown).toSorted()).toEqual([
    "a: git 4 -> sha256 9",
    "d/c: absent -> sha256 2",
    "l: link to a -> link to d",
    "new: sha256 2 -> absent",
  ]);
});

test("an added folder is part of it, with absolute paths, and what it holds at first is no change", async () => {
  await using project = await indexedProject("mkdir ../added; echo 1 > ../added/a");
  const added: string[] = [];
  const index = new TreeIndex({ root: project.root, addedFolders: () => added }, project.store);
  await index.build(NEVER);
  added.push(`${project.root}/../added`.replace("/project/..", ""), project.root);
  expect(await index.refresh(NEVER)).toEqual([]);
  await index.keep(NEVER);
  project.run("echo 2 >> ../added/a");
  expect((await index.refresh(NEVER)).map(shown)).toEqual([`${added[0]}/a: sha256 2 -> sha256 4`]);
});

test.skipIf(process.getuid?.() === 0)("what a folder that nobody may enter holds is not gone", async () => {
  await using project = await indexedProject("mkdir d; echo 1 > d/a");
  await project.begin();
  expect(await project.changes("chmod 000 d")).toEqual(["d: folder 755 -> folder 0"]);
  expect(await project.changes("chmod 755 d")).toEqual(["d: folder 0 -> folder 755"]);
});

test("files of a repository inside the project survive it", async () => {
  await using project = await indexedProject(`${REPOSITORY}; mkdir nested; cd nested; ${REPOSITORY}`);
  await project.begin();
  expect(project.store.bytes).toBe(8);
  expect(await project.changes("rm -rf nested")).toEqual([
    "nested/a: sha256 4 -> absent",
    "nested/d/b: sha256 4 -> absent",
    "nested/d: folder 755 -> absent",
    "nested: folder 755 -> absent",
  ]);
});
