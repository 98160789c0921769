import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type IndexedProject, indexedProject, NEVER, runIn } from "../../test/support/indexed-project.ts";
import { createContents } from "./contents.ts";
import { lookAt } from "./file-look.ts";
import { askRepository, blobSizes, knownBlobs, readBlobs } from "./git-blobs.ts";

/** Every file with `certain` or `likely`; what git has no bytes of is left out. */
async function known(project: IndexedProject, folder = project.root) {
  const found: Record<string, string> = {};
  const repository = await askRepository(folder, NEVER);
  const look = (path: string) => lookAt(join(folder, path)) ?? undefined;
  for await (const blob of knownBlobs(repository, look, null, NEVER))
    found[blob.path] = `${blob.isCertain ? "certain" : "likely"}${blob.isCommitted ? "" : ", staged"}`;
  return found;
}

/** So that no file is younger than the index. */
const SETTLE = "sleep 0.02; touch -m .git/index";

test("a clean file is git's, and a dirty, untracked, ignored, staged or conflicting one only if it has the bytes", async () => {
  await using project = await indexedProject(
    "git init -q; echo i > .gitignore; echo 1 > clean; echo 2 > dirty; echo 3 > other; git add -A; git commit -qm 1;" +
      `echo 12 > dirty; echo i > i; echo u > untracked; echo s > staged; git add staged; ${SETTLE}`,
  );
  expect(await known(project)).toEqual({
    ".gitignore": "certain",
    clean: "certain",
    other: "certain",
    staged: "certain, staged",
  });
  project.run("echo X > other");
  expect(await known(project)).toMatchObject({ clean: "certain", other: "likely" });
});

test("line ends, keywords, encodings and filters make a file no blob, even if the size is the same", async () => {
  const attributes =
    "crlf text eol=crlf\\nident ident\\nsame filter=swap\\nlatin text working-tree-encoding=ISO-8859-1\\n";
  await using project = await indexedProject(
    `git init -q; git config filter.swap.clean 'tr ab ba'; git config filter.swap.smudge 'tr ab ba';` +
      `printf '${attributes}' > .gitattributes; printf 'x\\ny\\n' > crlf; echo '$Id$' > ident; echo ab > same; echo a > latin; echo a > plain;` +
      `git add -A; git commit -qm 1; rm crlf ident same; git checkout -q .; ${SETTLE}`,
  );
  expect(await known(project)).toEqual({
    ".gitattributes": "certain",
    same: "likely",
    latin: "likely",
    plain: "certain",
  });
  await project.begin();
  expect(project.index.rowOf("same")?.content).toMatch(/^sha256:/);
  expect(project.index.rowOf("latin")?.content).toMatch(/^git:/);
});

test("after a clone, when everything is as young as the index, nothing has to be stored", async () => {
  await using project = await indexedProject(
    "git init -q ../origin; cd ../origin; seq 200 | while read n; do echo $n > f$n; done; git add -A; git commit -qm 1; git clone -q . ../project/clone",
  );
  project.run("mv clone/* clone/.git .; rmdir clone");
  await project.begin();
  expect(project.store.bytes).toBe(0);
});

test("other kinds of repositories and places of the index", async () => {
  await using project = await indexedProject(
    "git init -q --object-format=sha256 sha256; git init -q split; git init -q sub; git init -q flags;" +
      "for r in sha256 split sub flags; do (cd $r; echo 1 > a; echo 2 > b; git add -A; git commit -qm 1); done;" +
      "(cd split; git update-index --split-index; echo 3 > c; git add c);" +
      "(cd sub; git worktree add -q ../tree; git -c protocol.file.allow=always submodule --quiet add ../flags module);" +
      "(cd flags; git update-index --assume-unchanged a; echo x > a);" +
      "sleep 0.02; touch -m */.git/index sub/.git/worktrees/*/index sub/.git/modules/*/index",
  );
  const at = async (name: string) => await known(project, project.path(name));
  expect(await at("sha256")).toEqual({ a: "certain", b: "certain" });
  expect(await at("split")).toEqual({ a: "certain", b: "certain", c: "certain, staged" });
  expect(await at("tree")).toEqual({ a: "certain", b: "certain" });
  expect(await at("sub/module")).toEqual({ a: "certain", b: "certain" });
  expect(await at("flags")).toEqual({ a: "likely", b: "certain" });
  expect(await at("sub")).toEqual({ ".gitmodules": "certain, staged", a: "certain", b: "certain" });
});

test("a blob that is only promised is not there, and is not fetched", async () => {
  await using project = await indexedProject(
    "git init -q ../origin; cd ../origin; echo 1 > a; echo 2 > b; git add -A; git commit -qm 1;" +
      "git config uploadpack.allowFilter true; git config uploadpack.allowAnySHA1InWant true;" +
      "git clone -q --filter=blob:none --no-checkout file://$PWD ../project/partial; cd ../project/partial; git checkout -q HEAD a;" +
      "echo 2 > b; git ls-tree HEAD b",
  );
  const partial = project.path("partial");
  const blob = runIn(partial, "git ls-tree HEAD b").split(/\s/)[2] ?? "";
  runIn(partial, "git reset -q --mixed; sleep 0.02; touch -m .git/index");
  expect([...(await blobSizes(await askRepository(partial, NEVER), [blob], NEVER))]).toEqual([]);
  expect(await known(project, partial)).toEqual({ a: "certain" });
  const found = [];
  for await (const one of readBlobs(partial, [blob], NEVER)) found.push(one);
  expect(found).toEqual([]);
});

test("nothing that a repository configures is run", async () => {
  await using project = await indexedProject(
    "git init -q; echo 1 > a; echo 'a filter=evil' > .gitattributes; git add -A; git commit -qm 1",
  );
  const marker = join(project.root, "../ran");
  const program = join(project.root, "../evil");
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`);
  chmodSync(program, 0o755);
  for (const key of [
    "core.fsmonitor",
    "core.sshCommand",
    "core.pager",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "diff.external",
    "core.askPass",
    "alias.ls-files",
    "alias.cat-file",
  ])
    project.run(`git config ${key} ${program}`);
  mkdirSync(project.path("bin"));
  writeFileSync(project.path("bin/git"), `#!/bin/sh\ntouch ${marker}\n`);
  chmodSync(project.path("bin/git"), 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${project.path("bin")}:./bin:${path}`;
  try {
    await project.begin();
    await project.index.refresh(NEVER);
  } finally {
    process.env["PATH"] = path;
  }
  expect(existsSync(marker)).toBe(false);
  expect(project.index.rowOf("a")?.content).toMatch(/^git:/);
});

test("a repository that keeps git waiting keeps nobody waiting who gave up, and can be looked at again", async () => {
  await using project = await indexedProject(
    "git init -q; echo 1 > a; git add -A; git commit -qm 1; mkfifo .git/info/attributes",
  );
  await expect(project.index.build(AbortSignal.timeout(300))).rejects.toThrow();
  project.run("rm .git/info/attributes");
  await project.begin();
  expect(await project.changes("echo 2 > b")).toEqual(["b: absent -> sha256 2"]);
  expect(project.index.rowOf("a")?.content).toMatch(/^git:/);
});

test("without git, or with a repository that git can't read, files are kept by us", async () => {
  await using project = await indexedProject(
    "git init -q; echo 1 > a; git add -A; git commit -qm 1; echo damage > .git/index",
  );
  await project.begin();
  expect(project.index.rowOf("a")?.content).toMatch(/^sha256:/);
  await using other = await indexedProject("git init -q; echo 1 > a; git add -A; git commit -qm 1");
  const path = process.env["PATH"];
  process.env["PATH"] = "/nowhere";
  try {
    await other.begin();
  } finally {
    process.env["PATH"] = path;
  }
  expect(other.index.rowOf("a")?.content).toMatch(/^sha256:/);
});

test("what is only staged outlives a reset and git's own clearing away", async () => {
  await using project = await indexedProject(
    "git init -q; echo 1 > a; git add a; git commit -qm 1; echo 22 > a; git add a",
  );
  await project.begin();
  const content = project.index.rowOf("a")?.content ?? null;
  project.run("git reset -q --hard; git gc -q --prune=now");
  const contents = createContents(project.root, project.store);
  if (content === null) throw new Error("It is not kept.");
  const bytes = await contents.read({ path: "a", content }, NEVER);
  expect(Buffer.from(bytes ?? []).toString()).toBe("22\n");
});
