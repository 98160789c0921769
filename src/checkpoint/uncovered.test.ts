import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { indexedProject, NEVER } from "../../test/support/indexed-project.ts";
import { TreeIndex } from "./tree-index.ts";

const SCRIPT =
  "mkdir -p src/node_modules/x target empty .yarn; echo 1 > src/a; echo 2 > src/node_modules/x/y; touch target/CACHEDIR.TAG;" +
  "head -c 2000 /dev/zero > large; mkfifo pipe; ln -s a link; echo 3 > .yarn/b";

const EXPECTED = [
  { path: "large", why: "too large" },
  { path: "pipe", why: "special" },
  { path: "src/node_modules", why: "left out" },
  { path: "target", why: "left out" },
] as const;

test("what is not covered is known, with and without a run", async () => {
  await using project = await indexedProject(SCRIPT, { fileBytes: 1_000 });
  await project.begin();
  const inOrder = () =>
    project.index
      .coverage()
      .list()
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  expect(inOrder()).toEqual([...EXPECTED]);
  await using other = await indexedProject(SCRIPT, { fileBytes: 1_000 });
  await other.index.build(NEVER);
  await other.index.foresee(NEVER);
  expect(
    other.index
      .coverage()
      .list()
      .toSorted((one, two) => (one.path < two.path ? -1 : 1)),
  ).toEqual([...EXPECTED]);
  expect(other.store.bytes).toBe(0);
});

test("names that are not UTF-8 are not covered", async () => {
  await using project = await indexedProject("mkdir d");
  mkdirSync(Buffer.concat([Buffer.from(`${project.path("d")}/`), Buffer.from([0xff])]));
  writeFileSync(project.path("d/fine"), "");
  await project.begin();
  expect(project.index.coverage().list()).toEqual([{ path: "d/\ufffd", why: "not text" }]);
});

test("of a path the first thing that would not come back is told", async () => {
  await using project = await indexedProject(SCRIPT, { fileBytes: 1_000 });
  await project.begin();
  const first = (path: string) => project.index.coverage().firstUncovered(join(project.root, path));
  expect(first(".")?.why).toBeDefined();
  expect(first("src")).toEqual({ path: "src/node_modules", why: "left out" });
  expect(first("src/node_modules/x/y")).toEqual({ path: "src/node_modules", why: "left out" });
  expect(first("target/CACHEDIR.TAG")).toEqual({ path: "target", why: "left out" });
  expect(first("large")).toEqual({ path: "large", why: "too large" });
  for (const covered of ["src/a", "empty", ".yarn", "link", "no/such/file", "node_modules"])
    expect(first(covered)).toBeNull();
  expect(first("..")?.why).toBe("outside");
});

test("a large file that git has comes back if it is removed, but its changes can't be taken back", async () => {
  await using project = await indexedProject(
    "git init -q; head -c 2000 /dev/zero > large; git add -A; git commit -qm 1",
    { fileBytes: 1_000 },
  );
  await project.begin();
  expect(project.index.coverage().firstUncovered(project.path("large"))).toBeNull();
  expect(project.index.coverage().list()).toContainEqual({ path: "large", why: "too large" });
});

test("our own data inside the project is left out", async () => {
  await using project = await indexedProject();
  const { index, store } = project;
  const { TreeIndex } = await import("./tree-index.ts");
  const whole = new TreeIndex({ root: join(project.root, ".."), addedFolders: () => [] }, store);
  await whole.build(NEVER);
  await store.putBytes(Buffer.from("kept"));
  expect(await whole.refresh(NEVER)).toMatchObject([{ path: "data" }]);
  expect(whole.coverage().list()).toEqual([{ path: "data/tunacode", why: "left out" }]);
  expect(index.isKept).toBe(true);
});

test.skipIf(!existsSync("/proc/self"))(
  "where the whole disk is the project, the kernel's folders are left out",
  async () => {
    await using project = await indexedProject("");
    const disk = TreeIndex.fromRows({ root: "/", addedFolders: () => [] }, project.store, []);
    expect(await disk.refreshPaths(["/proc", "/proc/self/stat"], NEVER)).toEqual([]);
    expect(disk.coverage().list()).toEqual([{ path: "proc", why: "left out" }]);
  },
);
