import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { indexedProject, NEVER } from "../../test/support/indexed-project.ts";
import { seededRandom } from "../../test/support/random.ts";
import { ContentStore, DEFAULT_CAPS } from "./content-store.ts";
import { nameBytes } from "./file-bytes.ts";
import { MachineRoom } from "./machine-room.ts";

const bytes = (length: number, fill: number) => Buffer.alloc(length, fill);

/** What is really on disk. */
function stored(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test("bytes and files come back as they were, also in a new process, readable by nobody else", async () => {
  await using project = await indexedProject("head -c 300000 /dev/urandom > large; echo small > small");
  const small = await project.store.putBytes(Buffer.from("small\n"));
  const large = await project.store.putFile(project.path("large"));
  expect([small.why, large.why, project.store.bytes]).toEqual([null, null, 300_006]);
  const again = await ContentStore.open(project.store.folder, DEFAULT_CAPS, null);
  expect(again.bytes).toBe(300_006);
  for (const { content } of [small, large]) {
    if (content === null) throw new Error("Nothing was kept.");
    expect(nameBytes(again.read(content) ?? Buffer.of(), "sha256")).toBe(content);
    expect([again.has(content), (await again.putBytes(Buffer.from("small\n"))).why]).toEqual([true, null]);
  }
  const modes = readdirSync(project.store.folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of modes) expect(statSync(join(parentPath, name)).mode & 0o077).toBe(0);
});

test("damaged and missing content is null", async () => {
  await using project = await indexedProject();
  const { content } = await project.store.putBytes(Buffer.from("one"));
  if (content === null) throw new Error("Nothing was kept.");
  const hex = content.slice("sha256:".length);
  writeFileSync(join(project.store.folder, hex.slice(0, 2), hex.slice(2)), "two");
  expect(project.store.read(content)).toBeNull();
  expect(project.store.read(nameBytes(Buffer.from("three"), "sha256"))).toBeNull();
});

test("symlinks are not followed, and nothing waits for a pipe", async () => {
  await using project = await indexedProject("mkfifo pipe; mkdir folder");
  symlinkSync("/etc/passwd", project.path("link"));
  for (const name of ["pipe", "link", "folder", "nothing"])
    expect(await project.store.putFile(project.path(name))).toEqual({ content: null, why: "unreadable" });
});

test("the oldest that nothing needs goes first, and the cap holds", async () => {
  await using project = await indexedProject("", { sessionBytes: 10_000, fileBytes: 4_000 });
  const { store } = project;
  const [first, second] = [await store.putBytes(bytes(3_000, 1)), await store.putBytes(bytes(3_000, 2))];
  if (first.content === null || second.content === null) throw new Error("Nothing was kept.");
  const needed = [first.content];
  store.hold(() => needed);
  expect((await store.putBytes(bytes(4_001, 3))).why).toBe("too large");
  for (let round = 4; round < 50; round++) expect((await store.putBytes(bytes(3_000, round))).why).toBeNull();
  expect([store.has(first.content), store.has(second.content)]).toEqual([true, false]);
  expect(stored(store.folder)).toBe(store.bytes);
  expect(store.bytes).toBeLessThanOrEqual(10_000);
  needed.pop();
  for (let round = 50; round < 60; round++) await store.putBytes(bytes(3_000, round));
  expect(store.has(first.content)).toBe(false);
});

test("commands that rewrite everything leave the store under its cap, and the last change can be had", async () => {
  await using project = await indexedProject("head -c 1000000 /dev/zero > a; cp a b; cp a c", {
    sessionBytes: 8_000_000,
  });
  await project.begin();
  for (let round = 0; round < 20; round++) {
    for (const name of ["a", "b", "c"])
      writeFileSync(project.path(name), bytes(1_000_000, round * 3 + name.charCodeAt(0)));
    for (const { before, after } of await project.index.refresh(NEVER))
      for (const image of [before, after])
        expect(image.type === "file" && image.content !== null && project.store.has(image.content)).toBe(
          true,
        );
    expect(stored(project.store.folder)).toBeLessThanOrEqual(8_000_000);
  }
});

test("what there is at first leaves room for what changes, and what is nearest to the root is kept", async () => {
  const script = "mkdir -p d/e; for f in d/e/z d/y x; do head -c 3000 /dev/urandom > $f; done";
  await using project = await indexedProject(script, { sessionBytes: 8_000 });
  await project.begin();
  expect(project.index.coverage().list()).toEqual([{ path: "d/e/z", why: "no room" }]);
  expect((await project.changes("echo changed > x")).length).toBe(1);
  expect(project.store.bytes).toBe(6_008);
});

test("a store that can't be written has no room", async () => {
  await using project = await indexedProject("echo 1 > a");
  mkdirSync(dirname(project.store.folder), { recursive: true });
  writeFileSync(project.store.folder, "in the way");
  await project.begin();
  expect(project.index.coverage().list()).toEqual([{ path: "a", why: "no room" }]);
});

test("all sessions together stay under the machine's cap: the oldest goes first, a running one never", async () => {
  await using project = await indexedProject();
  const sessions = join(project.root, "../data/tunacode/sessions");
  const open = async (name: string) => {
    const blobs = join(sessions, `${name}.files/blobs`);
    const stores = { folder: sessions, isRunning: async (other: string) => other === "running" };
    return await ContentStore.open(
      blobs,
      { ...DEFAULT_CAPS, machineBytes: 20_700 },
      new MachineRoom(stores, blobs, 20_700),
    );
  };
  for (const [index, name] of ["running", "old", "newer"].entries()) {
    const store = await open(name);
    for (let count = 0; count < 6; count++) await store.putBytes(bytes(1_000, index * 10 + count));
    await Bun.sleep(5);
  }
  const own = await open("own");
  for (let count = 0; count < 8; count++)
    expect((await own.putBytes(bytes(1_000, 100 + count))).why).toBeNull();
  const left = (name: string) => stored(join(sessions, `${name}.files`));
  expect([left("running"), left("newer"), left("own")]).toEqual([6_000, 6_000, 8_000]);
  expect(left("old")).toBeLessThanOrEqual(0);
  for (let count = 0; count < 10; count++) await own.putBytes(bytes(1_000, 150 + count));
  expect(left("running")).toBe(6_000);
  expect(stored(sessions)).toBeLessThanOrEqual(20_700);
});

test("many sessions that run at once stay under the machine's cap together", async () => {
  await using project = await indexedProject();
  const sessions = join(project.root, "../data/tunacode/sessions");
  const [count, machineBytes] = [3, 150_000];
  const stores: ContentStore[] = [];
  for (let number = 0; number < count; number++) {
    const blobs = join(sessions, `s${number}.files/blobs`);
    mkdirSync(blobs, { recursive: true });
    const room = new MachineRoom({ folder: sessions, isRunning: async () => true }, blobs, machineBytes);
    stores.push(await ContentStore.open(blobs, { ...DEFAULT_CAPS, machineBytes }, room));
  }
  const random = seededRandom(7);
  let most = 0;
  let kept = 0;
  for (let round = 0; round < 350; round++) {
    const store = random.pick(stores);
    const put = await store.putBytes(bytes(300 + random.below(600), round));
    if (put.why === null) kept++;
    most = Math.max(
      most,
      stores.reduce((sum, each) => sum + each.bytes, 0),
    );
  }
  expect(most).toBeLessThanOrEqual(machineBytes);
  expect(stored(sessions)).toBeGreaterThan(machineBytes / 2);
  expect(kept).toBeGreaterThan(300);
});
