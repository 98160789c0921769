import { afterEach, expect, test } from "bun:test";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../base/digest.ts";
import { DiskChangeTracker } from "./change-tracker.ts";
import { ContentStore, DEFAULT_CAPS } from "./content-store.ts";
import { recoverInterrupted } from "./interrupted-call.ts";
import { NamedFiles } from "./named-files.ts";
import { removeRunFolders, runFolders } from "./running-mark.ts";
import type { ChangeTracker, FoundChanges } from "./tracking.ts";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const never = new AbortController().signal;

interface Ground {
  readonly root: string;
  readonly folder: string;
  readonly store: ContentStore;
  readonly tracker: ChangeTracker;
  readonly notices: string[];
  readonly sh: (command: string) => void;
  /** A call that runs this command; what was found when all is done: "by path:before>after". */
  readonly call: (id: string, command: string, writes?: readonly string[]) => Promise<string[]>;
}

async function ground(setUp: string): Promise<Ground> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-tracker-")));
  const [root, folder] = [join(place, "project"), join(place, "data", "sessions", "s.files")];
  mkdirSync(root);
  const sh = (command: string) => {
    execFileSync("sh", ["-c", command], { cwd: root, stdio: "ignore" });
  };
  sh(setUp);
  const store = await ContentStore.open(join(folder, "blobs"), DEFAULT_CAPS, null);
  const notices: string[] = [];
  const project = { root, addedFolders: () => [] };
  const tracker: ChangeTracker = new DiskChangeTracker({
    project,
    store,
    folder,
    notify: (text) => notices.push(text),
  });
  ends.push(
    () => rmSync(place, { recursive: true, force: true }),
    () => tracker.close(),
  );
  const call = async (toolCallId: string, command: string, names?: readonly string[]) => {
    const tracked = { toolCallId, writes: names?.map((name) => join(root, name)) ?? null };
    await tracker.before(tracked, never);
    sh(command);
    tracker.after(tracked);
    await tracker.settled(never);
    return shown(tracker.take());
  };
  return { root, folder, store, tracker, notices, sh, call };
}

function shown(found: readonly FoundChanges[]): string[] {
  return found.flatMap(({ by, changes }) =>
    changes
      .map(
        ({ path, before, after }) =>
          `${by.type === "call" ? by.toolCallId : by.type} ${path}:${before.type}>${after.type}`,
      )
      .sort(),
  );
}

async function recovered(files: string, store: ContentStore): Promise<string[]> {
  const found = await Promise.all(runFolders(files).map((run) => recoverInterrupted(run, store, never)));
  return shown(found.filter((each) => each !== null));
}

test("what a command changes, makes, removes and moves is the call's", async () => {
  const { call } = await ground("mkdir a; echo 1 > a/one; echo 2 > a/two; echo 3 > three");
  expect(
    await call("c1", "echo x >> a/one; rm three; mkdir -p b/c; mv a/two b/c/two; chmod 755 a/one"),
  ).toEqual([
    "c1 a/one:file>file",
    "c1 a/two:file>absent",
    "c1 b/c/two:absent>file",
    "c1 b/c:absent>folder",
    "c1 b:absent>folder",
    "c1 three:file>absent",
  ]);
  expect(await call("c2", "true")).toEqual([]);
});

test("an edit is covered before the first look at the project is done, and is found once", async () => {
  const { call, sh, notices, root, store, tracker } = await ground(
    "git init -q .; echo 1 > a; echo 2 > b; rm -f .git/index; mkfifo .git/index",
  );
  // Git waits for somebody to write into its index.
  const edit = { toolCallId: "c1", writes: [join(root, "a"), join(root, "x/y/new")] };
  await tracker.before(edit, never);
  sh("echo edited > a; mkdir -p x/y; echo 3 > x/y/new");
  tracker.after(edit);
  expect(notices).toEqual([]);
  const release = spawn("sh", ["-c", "exec 3<>.git/index; rm .git/index; sleep 0.1"], { cwd: root });
  ends.push(() => void release.kill("SIGKILL"));
  await tracker.settled(never);
  expect(shown(tracker.take())).toEqual([
    "c1 a:file>file",
    "c1 x/y/new:absent>file",
    "c1 x/y:absent>folder",
    "c1 x:absent>folder",
  ]);
  expect(await call("c2", "echo 2 > a")).toEqual(["c2 a:file>file"]);
  for (const path of [".git/config", "../z"]) {
    const left = { toolCallId: "c3", writes: [join(root, path)] };
    expect(await NamedFiles.look(left, { root, addedFolders: () => [] }, store)).toBeNull();
  }
});

test("what somebody else changes between two calls is theirs, and the call starts from it", async () => {
  const { call, sh, tracker, store, root } = await ground("mkdir a; echo 1 > a/one; echo 2 > two");
  await call("c1", "true");
  sh("echo other > a/one; mkdir new; echo theirs > new/file");
  const found = await call("c2", "echo mine > a/one; rm -r new");
  expect(found).toEqual([
    "other a/one:file>file",
    "other new/file:absent>file",
    "other new:absent>folder",
    "c2 a/one:file>file",
    "c2 new/file:file>absent",
    "c2 new:folder>absent",
  ]);
  expect(tracker.take()).toEqual([]);
  expect(store.bytes).toBeGreaterThan(0);
  expect(readFileSync(join(root, "a/one"), "utf8")).toBe("mine\n");
});

test("an edit waits for a slow look after the call before it, so that what somebody wrote meanwhile is theirs", async () => {
  const { call, sh, tracker, root } = await ground("git init -q .; echo 1 > a; echo 2 > b; git add a");
  await call("c1", "true");
  const command = { toolCallId: "c2", writes: null };
  await tracker.before(command, never);
  // Git waits for somebody to write into its index.
  sh("echo mine > a; mv .git/index .git/saved; mkfifo .git/index");
  tracker.after(command);
  sh("echo theirs > b");
  const release = spawn("sh", ["-c", "sleep 1.3; exec 3<>.git/index; mv .git/saved .git/index; sleep 0.1"], {
    cwd: root,
  });
  ends.push(() => void release.kill("SIGKILL"));
  const found = await call("c3", "echo edited > b", ["b"]);
  expect(found).toEqual(["c2 a:file>file", "other b:file>file", "c3 b:file>file"]);
});

test("a folder that somebody replaced between two calls is looked into, whatever its number", async () => {
  const { call, sh } = await ground("mkdir -p a/b; echo 1 > a/b/one");
  await call("c1", "true");
  sh("rm -r a; mkdir -p a/b; echo 2 > a/b/two");
  expect(await call("c2", "rm a/b/two")).toEqual([
    "other a/b/one:file>absent",
    "other a/b/two:absent>file",
    "c2 a/b/two:file>absent",
  ]);
});

test("what somebody changes right after a call is theirs, whenever it is found", async () => {
  const { tracker, sh, call, root } = await ground(
    "mkdir d; for n in 1 2 3 4 5 6 7 8 9; do echo $n > $n; done",
  );
  const first = { toolCallId: "c1", writes: null };
  await tracker.before(first, never);
  sh("echo mine > 1");
  tracker.after(first);
  const other = spawn(
    "sh",
    ["-c", "sleep 0.01; for n in 2 3 4 5 6 7 8; do echo theirs > $n; done; echo new > d/new"],
    {
      cwd: root,
    },
  );
  await new Promise((resolve) => other.once("close", resolve));
  await tracker.settled(never);
  const found = [...shown(tracker.take()), ...(await call("c2", "true"))];
  expect([...new Set(found)].sort()).toEqual([
    "c1 1:file>file",
    ...[2, 3, 4, 5, 6, 7, 8].map((name) => `other ${name}:file>file`),
    "other d/new:absent>file",
  ]);
});

test("what the second look had found when the next call ended it is no change of somebody else", async () => {
  // Through a name outside the project there are no events.
  const { tracker, call, root } = await ground(
    "mkdir ../outside; for n in $(seq 200); do echo 1 > ../outside/$n; ln ../outside/$n $n; done",
  );
  await call("c1", "true");
  const second = { toolCallId: "c2", writes: null };
  await tracker.before(second, never);
  for (let name = 1; name <= 200; name++)
    writeFileSync(join(root, "../outside", `${name}`), "x".repeat(60_000));
  tracker.after(second);
  await Bun.sleep(20);
  const found = await call("c3", "true");
  expect(found).toHaveLength(200);
  expect(found.filter((line) => line.startsWith("other"))).toEqual([]);
});

test("a call that names its files is told of these alone, with the folders that it made", async () => {
  const { call, sh } = await ground("mkdir a; echo 1 > a/one; echo 2 > two");
  expect(await call("c1", "echo x > a/one", ["a/one"])).toEqual(["c1 a/one:file>file"]);
  await call("look", "true");
  expect(await call("c2", "echo y > two; mkdir -p n/m; echo x > n/m/file", ["n/m/file"])).toEqual([
    "c2 n/m/file:absent>file",
    "c2 n/m:absent>folder",
    "c2 n:absent>folder",
  ]);
  sh("echo z > n/m/file");
  expect(await call("c3", "echo w > n/m/file", ["n/m/file"])).toEqual([
    "other n/m/file:file>file",
    "c3 n/m/file:file>file",
  ]);
  // What nobody had named is found at the next look at everything.
  expect(await call("c4", "true")).toEqual(["other two:file>file"]);
});

test("an edit in a folder that is left out is covered, and nothing else in it", async () => {
  const { call, store, tracker } = await ground("mkdir -p node_modules/a; echo 1 > node_modules/a/one");
  expect(await call("c1", "echo x > node_modules/a/one; echo y > node_modules/a/two")).toEqual([]);
  const edited = await call("c2", "echo z > node_modules/a/one; echo z > node_modules/a/two", [
    "node_modules/a/one",
  ]);
  expect(edited).toEqual(["c2 node_modules/a/one:file>file"]);
  expect(store.has(`sha256:${sha256("x\n")}`)).toBe(true);
  expect(await call("c3", "mkdir -p .venv/b; echo 1 > .venv/b/c", [".venv/b/c"])).toEqual([
    "c3 .venv/b/c:absent>file",
    "c3 .venv/b:absent>folder",
    "c3 .venv:absent>folder",
  ]);
  // Package managers link files into such folders.
  expect(await call("c4", "echo s > node_modules/a/s; ln node_modules/a/s node_modules/t")).toEqual([]);
  expect(await call("c5", "echo t > node_modules/t", ["node_modules/t"])).toEqual([
    "c5 node_modules/t:file>file",
  ]);
  expect(tracker.take()).toEqual([]);
});

test("a call through a symlink changes the file that it leads to", async () => {
  const { call, sh, root, store } = await ground("mkdir real; echo 1 > real/one; ln -s real link");
  expect(await call("c1", "echo x > link/one", ["link/one"])).toEqual(["c1 real/one:file>file"]);
  const edit = { toolCallId: "c2", writes: [join(root, "link/one")] };
  const named = await NamedFiles.look(edit, { root, addedFolders: () => [] }, store);
  sh("echo y > link/one");
  expect((await named?.changes())?.map(({ path }) => path)).toEqual(["real/one"]);
});

test("for a file that git has, nothing is stored for its first change", async () => {
  const { call, store } = await ground(
    "git init -q; echo 1 > one; sleep 0.05; git add .; git -c user.name=t -c user.email=t@t commit -qm m; sleep 0.05; git update-index --refresh",
  );
  await call("c1", "true");
  const before = store.bytes;
  expect(await call("c2", "echo changed > one")).toContain("c2 one:file>file");
  expect(store.bytes).toBe(before);
  await call("c3", "true");
  expect(store.bytes).toBeGreaterThan(before);
});

test("a restore is nobody's change, but for what somebody wrote over it", async () => {
  const { call, tracker, sh } = await ground("echo 1 > one; echo 2 > two");
  const call1 = { toolCallId: "c1", writes: null };
  await tracker.before(call1, never);
  sh("rm one two");
  tracker.after(call1);
  await tracker.settled(never);
  const [found] = tracker.take();
  sh("echo 1 > one; echo different > two");
  await tracker.restored(
    (found?.changes ?? []).map(({ path, before, after }) => ({ path, before: after, after: before })),
  );
  expect(shown(tracker.take())).toEqual(["other two:absent>file"]);
  expect(await call("c2", "true")).toEqual([]);
});

test("what a killed call had changed is found afterwards, and what came later is not the call's", async () => {
  const { tracker, sh, folder, store, call } = await ground(
    "mkdir a; echo 1 > a/one; echo 2 > two; echo 3 > three",
  );
  await call("c0", "echo saved > three");
  tracker.take();
  await tracker.before({ toolCallId: "c1", writes: null }, never);
  sh("rm -r a; echo x > two; mkdir made");
  // Nobody says that the call has ended, and after the copy nothing shows that the program is alive.
  const killed = join(folder, "..", "killed.files");
  cpSync(folder, killed, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 400));
  sh("echo later > three; mkdir later; echo theirs > made/theirs");
  expect(await recovered(killed, store)).toEqual([
    "c1 a/one:file>absent",
    "c1 a:folder>absent",
    "c1 made:absent>folder",
    "c1 two:file>file",
  ]);
});

test("a window that lost its session takes nothing from the one that has it now", async () => {
  const { tracker: lost, sh, folder, store, root } = await ground("echo 1 > one; echo 2 > two");
  const first = { toolCallId: "c1", writes: null };
  await lost.before(first, never);
  removeRunFolders(folder);
  const project = { root, addedFolders: () => [] };
  const owner = new DiskChangeTracker({ project, store, folder, notify: () => {} });
  ends.push(() => owner.close());
  await owner.before({ toolCallId: "c2", writes: null }, never);
  sh("echo x > two");
  lost.after(first);
  await lost.settled(never);
  lost.take();
  lost.take();
  await lost.close();
  expect(await recovered(folder, store)).toEqual(["c2 two:file>file"]);
});

test("an abort ends the wait before a call, and a call that never began changes nothing", async () => {
  const { tracker, sh } = await ground("echo 1 > one");
  const call = { toolCallId: "c1", writes: null };
  await tracker.before(call, AbortSignal.abort());
  sh("echo 2 > one");
  tracker.after(call);
  await tracker.settled(never);
  expect(tracker.take().filter(({ by }) => by.type === "call")).toEqual([]);
});

test("a disk that keeps nothing is told once", async () => {
  const { folder, notices, call } = await ground("echo 1 > a");
  writeFileSync(join(folder, "blobs"), "");
  await call("1", "echo 2 > a");
  await call("2", "echo 3 > a");
  expect(notices).toEqual([
    "The disk is full or can't be written to, so undo may not bring back everything that is changed now.",
  ]);
});
