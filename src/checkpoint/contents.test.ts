import { expect, test } from "bun:test";
import { type IndexedProject, indexedProject, NEVER } from "../../test/support/indexed-project.ts";
import type { ContentId } from "../domain/file-change.ts";
import { createContents, type WantedContent } from "./contents.ts";
import { nameBytes } from "./file-bytes.ts";

const REPOSITORY = "git init -q; for n in 1 2 3; do echo text $n > $n; done; git add -A; git commit -qm 1";

function wanted({ index }: IndexedProject, ...paths: string[]): readonly WantedContent[] {
  return paths.flatMap((path) => {
    const content = index.rowOf(path)?.content ?? null;
    return content === null ? [] : [{ path, content }];
  });
}

async function read({ root, store }: IndexedProject, all: readonly WantedContent[]) {
  const found: Record<string, string | null> = {};
  for await (const { path, bytes } of createContents(root, store).readAll(all, NEVER))
    found[path] = bytes === null ? null : Buffer.from(bytes).toString();
  return found;
}

test("git's bytes and ours come back after the files are gone, in several repositories", async () => {
  await using project = await indexedProject(
    `${REPOSITORY}; cp 1 4; echo own > own; : > empty; git add empty; git commit -qm 2; mkdir n; cd n; ${REPOSITORY}`,
  );
  await project.begin();
  const all = wanted(project, "1", "2", "4", "own", "empty", "n/3");
  expect(new Set(all.map(({ content }) => content.split(":")[0]))).toEqual(new Set(["git", "sha256"]));
  project.run("rm -rf 1 2 4 own n");
  expect(await read(project, all)).toEqual({
    1: "text 1\n",
    2: "text 2\n",
    4: "text 1\n",
    own: "own\n",
    empty: "",
    "n/3": "text 3\n",
  });
});

test("what is gone is null and known to be missing", async () => {
  await using project = await indexedProject(REPOSITORY);
  await project.begin();
  const [one] = wanted(project, "1");
  const gone: ContentId[] = [`git:${"0".repeat(40)}`, nameBytes(Buffer.from("never seen"), "sha256")];
  if (one === undefined) throw new Error("There is no such file.");
  const all = [one, ...gone.map((content, number) => ({ path: `gone${number}`, content }))];
  expect(await read(project, all)).toEqual({ 1: "text 1\n", gone0: null, gone1: null });
  const missing = await createContents(project.root, project.store).missing(all, NEVER);
  expect([...missing].map(({ path }) => path).toSorted()).toEqual(["gone0", "gone1"]);
  project.run("rm -rf .git");
  expect(await read(project, [one])).toEqual({ 1: null });
});

test("large blobs arrive whole, and hundreds in one go", async () => {
  await using project = await indexedProject(
    "git init -q; head -c 3000000 /dev/urandom > large; seq 300 | while read n; do echo $n > f$n; done; git add -A; git commit -qm 1",
  );
  await project.begin();
  const all = wanted(project, "large", ...Array.from({ length: 300 }, (_, number) => `f${number + 1}`));
  const named = new Map(all.map(({ path, content }) => [path, content]));
  let count = 0;
  for await (const { path, bytes } of createContents(project.root, project.store).readAll(all, NEVER)) {
    expect(bytes === null ? null : nameBytes(bytes, "git-sha1")).toBe(named.get(path) ?? null);
    count++;
  }
  expect(count).toBe(301);
});

test("whoever stops early, or is aborted, doesn't wait for git", async () => {
  await using project = await indexedProject(REPOSITORY);
  await project.begin();
  const all = wanted(project, "1", "2", "3");
  const contents = createContents(project.root, project.store);
  for await (const { bytes } of contents.readAll(all, NEVER)) {
    expect(bytes).not.toBeNull();
    break;
  }
  await expect(contents.read(all[0] ?? { path: "", content: "git:" }, AbortSignal.abort())).rejects.toThrow();
});
