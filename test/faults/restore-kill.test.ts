// A restore that is killed with SIGKILL right before any of its calls to the file system: the next process finishes it,
// nothing is lost, and no file of ours is left. Also when that one is killed, too.
import { afterAll, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { nodeCalls } from "../../src/checkpoint/restore-calls.ts";
import type { FileChange } from "../../src/domain/file-change.ts";
import { newRestoreId } from "../../src/domain/ids.ts";
import { changesBetween, describePicture, pictureOf, seededNumbers } from "../support/changed-tree.ts";
import { CHANGES_FILE, countedCalls, withoutLinks } from "../support/killed-restore.ts";
import { newLabFolder, openLab } from "../support/restore-lab.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const SAMPLE = 8;
const PROGRAM = join(import.meta.dir, "../support/killed-restore.ts");

const template = newLabFolder();
afterAll(() => fs.rmSync(template, { recursive: true, force: true }));

/** Every kind of change, and every kind of turning one thing into another. */
async function prepare(): Promise<{ readonly before: readonly string[]; readonly after: readonly string[] }> {
  const { root, keepAll } = await openLab(template);
  const at = (path: string) => join(root, path);
  fs.writeFileSync(at("edited"), "old");
  fs.writeFileSync(at("removed"), "removed", { mode: 0o640 });
  fs.writeFileSync(at("mode"), "mode");
  fs.writeFileSync(at("becomes folder"), "file");
  fs.mkdirSync(at("becomes file/inner"), { recursive: true });
  fs.writeFileSync(at("becomes file/inner/x"), "x");
  fs.symlinkSync("edited", at("link"));
  fs.symlinkSync("edited", at("becomes real"));
  fs.mkdirSync(at("gone/empty"), { recursive: true });
  fs.writeFileSync(at("gone/y"), "y");
  fs.chmodSync(at("gone"), 0o555);
  await keepAll();
  const before = pictureOf(root);
  fs.writeFileSync(at("edited"), "new");
  fs.rmSync(at("removed"));
  fs.chmodSync(at("mode"), 0o755);
  fs.rmSync(at("becomes folder"));
  fs.mkdirSync(at("becomes folder"));
  fs.writeFileSync(at("becomes folder/z"), "z");
  fs.rmSync(at("becomes file"), { recursive: true });
  fs.writeFileSync(at("becomes file"), "flat");
  fs.rmSync(at("link"));
  fs.symlinkSync("elsewhere", at("link"));
  fs.rmSync(at("becomes real"));
  fs.writeFileSync(at("becomes real"), "real");
  fs.rmSync(at("gone"), { recursive: true });
  fs.mkdirSync(at("made/deep"), { recursive: true });
  fs.writeFileSync(at("made/deep/w"), "w");
  const after = pictureOf(root);
  fs.writeFileSync(join(template, CHANGES_FILE), JSON.stringify(changesBetween(before, after)));
  return { before: describePicture(before), after: describePicture(after) };
}

test("a restore that is killed at any step is finished by the next start", async () => {
  const { before, after } = await prepare();
  const steps = await inCopy(countSteps);
  const random = seededNumbers(17);
  const every = Array.from({ length: steps }, (_, index) => String(index + 1));
  const places = LONG ? every : every.filter(() => random() < SAMPLE / steps);
  let unbegun = 0;
  for (const at of [...places, "end"])
    await inCopy(async (folder) => {
      const disk = random() < 0.5 ? "links" : "no-links";
      expect([at, await killed(folder, "carry-out", at, disk)]).toEqual([at, "SIGKILL"]);
      if (random() < 0.5) await killed(folder, "recover", String(1 + Math.floor(random() * steps)), disk);
      const calls = disk === "links" ? nodeCalls : withoutLinks(nodeCalls);
      const { root, restorer, intents } = await openLab(folder, { calls });
      const [recovered, ...others] = await restorer.recover();
      expect(others).toEqual([]);
      if (recovered === undefined) {
        unbegun++;
        expect([at, ...describePicture(pictureOf(root))]).toEqual([at, ...after]);
        return;
      }
      expect([at, recovered.conflicts]).toEqual([at, []]);
      expect([at, ...describePicture(pictureOf(root))]).toEqual([at, ...before]);
      const redoId = newRestoreId();
      const redo = await restorer.plan(recovered.changes);
      const redone = await restorer.carryOut(redo, redoId, new Set());
      expect([at, redone.conflicts]).toEqual([at, []]);
      expect([at, ...describePicture(pictureOf(root))]).toEqual([at, ...after]);
      await restorer.settle(recovered.restoreId);
      await restorer.settle(redoId);
      expect(fs.readdirSync(intents)).toEqual([]);
    });
  expect(unbegun).toBeLessThan(places.length);
  console.log(
    `restore: killed before ${places.length} of ${steps} calls and after the last, ${unbegun} before it had begun`,
  );
}, 600_000);

async function countSteps(folder: string): Promise<number> {
  let steps = 0;
  const { restorer } = await openLab(folder, { calls: countedCalls(() => steps++) });
  const plan = await restorer.plan(changesIn(folder));
  const planning = steps;
  await restorer.carryOut(plan, newRestoreId(), new Set());
  return steps - planning;
}

function changesIn(folder: string): readonly FileChange[] {
  return JSON.parse(fs.readFileSync(join(folder, CHANGES_FILE), "utf8")) as readonly FileChange[];
}

/** How the process ended. */
async function killed(folder: string, work: string, at: string, disk: string): Promise<string> {
  const child = Bun.spawn([process.execPath, PROGRAM, folder, work, at, disk], {
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await child.exited;
  return String(child.signalCode ?? code);
}

async function inCopy<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = newLabFolder();
  try {
    fs.cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
