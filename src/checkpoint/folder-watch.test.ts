import { afterEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderWatch } from "./folder-watch.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;
const onLinux = test.skipIf(process.platform !== "linux");

function ground(...folders: readonly string[]) {
  const place = mkdtempSync(join(tmpdir(), "tunacode-watch-"));
  made.push(place);
  const root = join(place, "project");
  for (const folder of ["", ...folders]) mkdirSync(join(root, folder), { recursive: true });
  const watch = new FolderWatch(join(place, "fence"));
  for (const folder of ["", ...folders]) watch.add(join(root, folder));
  const names = async () => {
    const taken = await watch.take(never);
    return taken && [...taken.keys()].map((path) => path.slice(root.length + 1)).sort();
  };
  return { root, watch, names };
}

onLinux("what another process changed up to now is known when take resolves", async () => {
  const { root, names } = ground("a", "a/b");
  execFileSync("sh", ["-c", "echo x > one; echo y > a/b/two; chmod 600 one"], { cwd: root });
  expect(await names()).toEqual(["a/b/two", "one"]);
  expect(await names()).toEqual([]);
});

onLinux("a thousand changes are all noted before the fence", async () => {
  const { root, names } = ground("a");
  for (let number = 0; number < 1_000; number++) writeFileSync(join(root, "a", `f${number}`), "");
  expect(await names()).toHaveLength(1_000);
});

onLinux("too many changes are nobody's guess: everything has to be looked at", async () => {
  const { root, names } = ground("a");
  const files = ["one", "two"].map((name) => openSync(join(root, "a", name), "w"));
  for (let number = 0; number < 9_000; number++) writeSync(files[number % 2] ?? 0, "x");
  for (const file of files) closeSync(file);
  expect(await names()).toBeNull();
  writeFileSync(join(root, "a", "later"), "");
  expect(await names()).toEqual(["a/later"]);
});

onLinux(
  "a folder that was made again under the same name is watched again, and what moved with it, too",
  async () => {
    const { root, watch, names } = ground("a", "a/b");
    rmSync(join(root, "a"), { recursive: true });
    mkdirSync(join(root, "a"));
    mkdirSync(join(root, "a/b"));
    await names();
    watch.add(join(root, "a"));
    watch.add(join(root, "a/b"));
    writeFileSync(join(root, "a/b/new"), "");
    expect(await names()).toEqual(["a/b/new"]);
    renameSync(join(root, "a"), join(root, "z"));
    await names();
    for (const folder of ["z", "z/b"]) watch.add(join(root, folder));
    writeFileSync(join(root, "z/b/other"), "");
    expect(await names()).toContain("z/b/other");
  },
);

onLinux(
  "what changed after the mark is told from what changed before it, a moved folder as a whole",
  async () => {
    const { root, watch } = ground("a", "b");
    writeFileSync(join(root, "early"), "");
    await watch.mark(never);
    writeFileSync(join(root, "late"), "");
    renameSync(join(root, "a"), join(root, "z"));
    await watch.catchUp(never);
    const late = ["early", "late", "a/file", "z/file", "b/file"].filter((name) =>
      watch.hasChangedSinceMark(join(root, name)),
    );
    expect(late).toEqual(["late", "a/file", "z/file"]);
  },
);

onLinux("if the mark is not reached in time, nothing is said to have changed after it", async () => {
  const { root, watch } = ground();
  writeFileSync(join(root, "early"), "");
  await watch.mark(AbortSignal.abort());
  await watch.catchUp(never);
  expect(watch.hasChangedSinceMark(join(root, "early"))).toBe(false);
});

onLinux("an abort and a folder for our own files that is gone don't keep anyone waiting", async () => {
  const { watch } = ground();
  expect(await watch.take(AbortSignal.abort())).toBeNull();
  const nowhere = new FolderWatch("/proc/no/such/folder");
  expect(nowhere.isOn).toBe(false);
  expect(await nowhere.take(never)).toBeNull();
});
