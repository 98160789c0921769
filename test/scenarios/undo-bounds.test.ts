// What undo keeps is bounded, whatever commands do; and of what git has already, nothing is kept twice.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCamera, differences } from "../support/disk-picture.ts";
import { git } from "../support/permission-project.ts";
import { keptBytes, openUndoProject } from "../support/undo-agent.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const HOUR_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-bounds-")));
  mkdirSync(join(base, "project"));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

test(
  "commands that rewrite everything again and again leave the store under its cap, and the last can be taken back",
  async () => {
    const { commands, files, bytes, cap } = LONG
      ? { commands: 1_000, files: 25, bytes: 4 * 1000 * 1000, cap: 256 * MEGABYTE }
      : { commands: 17, files: 10, bytes: 20_000, cap: 512_000 };
    const project = await openUndoProject(base, LONG ? {} : { undo: { sessionBytes: cap } });
    const camera = createCamera(project.root);
    const rewrite = `for n in $(seq ${files}); do head -c ${bytes} /dev/urandom > data$n; done`;
    await project.run(rewrite);
    for (let done = 1; done < commands - 1; done += 5) {
      await project.run(...Array.from({ length: 5 }, () => rewrite));
      expect(keptBytes(base).bytes).toBeLessThanOrEqual(cap);
    }
    const before = camera.take();
    await project.run(rewrite);
    expect(differences(before, camera.take())).toHaveLength(files);
    const { conflicts } = await project.undo.goBack({ target: { type: "last" }, scope: "files" });
    expect(conflicts).toEqual([]);
    expect(differences(before, camera.take())).toEqual([]);
    expect(keptBytes(base).bytes).toBeLessThanOrEqual(cap);
    await project.close();
  },
  HOUR_MS,
);

test("all sessions together stay under the cap of the machine, and the oldest goes first", async () => {
  const cap = 300_000;
  for (let session = 0; session < 5; session++) {
    const project = await openUndoProject(base, { undo: { machineBytes: cap } });
    writeFileSync(join(project.root, "first"), "x");
    await project.run(`head -c 100000 /dev/urandom > made${session}`, "echo more > other");
    await project.close();
    expect(keptBytes(base).bytes).toBeLessThanOrEqual(cap);
  }
  const newest = await openUndoProject(base, { undo: { machineBytes: cap }, session: { type: "continue" } });
  const { conflicts } = await newest.undo.goBack({ target: { type: "last" }, scope: "files" });
  expect(conflicts).toEqual([]);
  await newest.close();
});

test("of files that git has, nothing is kept for their first change, and they come back all the same", async () => {
  const root = join(base, "project");
  for (let index = 0; index < 50; index++) writeFileSync(join(root, `file${index}.txt`), `one ${index}\n`);
  git(root, "init", "-q");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  // Git trusts its own look at a file only if its index is younger than the file.
  await Bun.sleep(20);
  git(root, "update-index", "-q", "--really-refresh");
  const project = await openUndoProject(base);
  const camera = createCamera(root);
  const before = camera.take();
  await project.run("sed -i s/one/two/ *.txt");
  expect(differences(before, camera.take())).toHaveLength(50);
  expect(keptBytes(base)).toEqual({ files: 0, bytes: 0 });
  const { conflicts } = await project.undo.goBack({ target: { type: "last" }, scope: "files" });
  expect(conflicts).toEqual([]);
  expect(differences(before, camera.take())).toEqual([]);
  await project.close();
});

test("what is too large for a cap is named, is left alone, and doesn't keep the rest from coming back", async () => {
  const project = await openUndoProject(base, { undo: { fileBytes: 1_000 } });
  writeFileSync(join(project.root, "large"), "l".repeat(2_000));
  writeFileSync(join(project.root, "small"), "s".repeat(500));
  const uncovered = await project.undo.uncovered(AbortSignal.timeout(10_000));
  expect(uncovered).toContainEqual({ path: "large", why: "too large" });
  await project.run("rm large small; head -c 3000 /dev/zero > made; echo new > new");
  const { conflicts } = await project.undo.goBack({ target: { type: "last" }, scope: "files" });
  expect(conflicts.map(({ change }) => change.path).toSorted()).toEqual(["large", "made"]);
  expect([...createCamera(project.root).take().keys()]).toEqual(["made", "small"]);
  await project.close();
});
