// Right before any call to the file system that a restore makes, somebody else changes the file: it is put back or a
// conflict, and what somebody else wrote is not lost. The same if they opened the file at one call and write at another.
import { afterEach, expect, test } from "bun:test";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { newRestoreId } from "../../src/domain/ids.ts";
import { changesBetween, pictureOf, seededNumbers } from "../support/changed-tree.ts";
import { countedCalls } from "../support/killed-restore.ts";
import { newLabFolder, openLab } from "../support/restore-lab.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const SAMPLE = 8;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** When the restore is over. */
const AFTERWARDS = Number.POSITIVE_INFINITY;
const TOKEN = "somebody else's";
const OTHERS = {
  rewrites: (path) => fs.writeFileSync(path, TOKEN),
  appends: (path) => fs.appendFileSync(path, TOKEN),
  "renames over": (path) => {
    fs.writeFileSync(`${path}~`, TOKEN);
    fs.renameSync(`${path}~`, path);
  },
  "makes it new": (path) => {
    fs.rmSync(path, { recursive: true, force: true });
    fs.writeFileSync(path, TOKEN, { flag: "wx" });
  },
  "makes a folder of it": (path) => {
    fs.rmSync(path, { recursive: true, force: true });
    fs.mkdirSync(path);
    fs.writeFileSync(join(path, "inner"), TOKEN);
  },
  "makes a link of it": (path) => {
    fs.rmSync(path, { recursive: true, force: true });
    fs.symlinkSync(TOKEN, path);
  },
  "moves its folder away": (path, folder) => {
    fs.renameSync(dirname(path), join(folder, "moved"));
    fs.symlinkSync(join(folder, "moved"), dirname(path));
    fs.writeFileSync(path, TOKEN);
  },
} as const satisfies Record<string, (path: string, folder: string) => void>;

/** What the run did to the file. */
const RUNS_DID = {
  edited: ["old", "new"],
  made: [null, "new"],
  removed: ["old", null],
  emptied: ["old", ""],
} as const;

async function restoreWith(
  did: keyof typeof RUNS_DID,
  meanwhile: (count: number, path: string, folder: string) => void,
) {
  const folder = newLabFolder();
  folders.push(folder);
  let isOn = false;
  let count = 0;
  const path = join(folder, "project/in/file");
  const calls = countedCalls(() => {
    if (isOn) meanwhile(++count, path, folder);
  });
  const { root, restorer, keepAll, store } = await openLab(folder, { calls });
  const [old, now] = RUNS_DID[did];
  fs.mkdirSync(dirname(path));
  if (old !== null) fs.writeFileSync(path, old);
  const before = pictureOf(root);
  await keepAll();
  fs.rmSync(path, { force: true });
  if (now !== null) fs.writeFileSync(path, now);
  const plan = await restorer.plan(changesBetween(before, pictureOf(root)));
  isOn = true;
  const result = await restorer.carryOut(plan, newRestoreId(), new Set());
  meanwhile(AFTERWARDS, path, folder);
  isOn = false;
  const kept = result.changes.flatMap(({ before: was }) =>
    was.type === "file" && was.content !== null ? [was.content] : [],
  );
  const texts = kept.map((content) => new TextDecoder().decode(store.read(content) ?? undefined));
  const everything = [...texts, ...everythingIn(folder)];
  fs.rmSync(folder, { recursive: true, force: true });
  return { count, result, everything };
}

/** All texts and link targets outside the store, by name; none may be a file of ours. */
function everythingIn(folder: string): readonly string[] {
  return ["project", "moved"].flatMap((start) => {
    if (!fs.existsSync(join(folder, start))) return [];
    return fs.readdirSync(join(folder, start), { recursive: true, encoding: "utf8" }).flatMap((name) => {
      const path = join(folder, start, name);
      const stat = fs.lstatSync(path);
      // A folder that is moved away in the middle may take a file of ours along.
      if (name.includes(".tunacode-") && start !== "moved" && !fs.existsSync(join(folder, "moved")))
        throw new Error(`${name} was left.`);
      if (stat.isSymbolicLink()) return [fs.readlinkSync(path)];
      return stat.isFile() ? [fs.readFileSync(path, "utf8")] : [];
    });
  });
}

test("a file that somebody else changes right before any call is not lost", async () => {
  const random = seededNumbers(3);
  const cases: [keyof typeof RUNS_DID, keyof typeof OTHERS, number][] = [];
  for (const did of Object.keys(RUNS_DID) as (keyof typeof RUNS_DID)[]) {
    const { count } = await restoreWith(did, () => {});
    for (const other of Object.keys(OTHERS) as (keyof typeof OTHERS)[])
      for (let at = 1; at <= count; at++) cases.push([did, other, at]);
  }
  let conflicts = 0;
  const chosen = sample(cases, random);
  for (const [did, other, at] of chosen) {
    let isLate = false;
    const { result, everything } = await restoreWith(did, (count, path, folder) => {
      if (count !== at) return;
      try {
        OTHERS[other](path, folder);
      } catch {
        // The file came back in between, so that there is nothing of theirs.
        isLate = true;
      }
    });
    const found = everything.some((text) => text.includes(TOKEN));
    if (!isLate && !found)
      throw new Error(`${did}, ${other} at ${at}: lost. ${JSON.stringify({ result, everything })}`);
    conflicts += result.conflicts.length;
  }
  expect(conflicts).toBeGreaterThan(0);
  console.log(`interleaving: ${chosen.length} of ${cases.length} cases, ${conflicts} conflicts`);
}, 900_000);

test("what is written to a file that was opened before, and moved away meanwhile, is not lost", async () => {
  const random = seededNumbers(5);
  const { count: calls } = await restoreWith("edited", () => {});
  const cases: [keyof typeof RUNS_DID, number, number][] = [];
  for (const did of ["edited", "made", "emptied"] as const)
    for (let opened = 1; opened <= calls; opened++)
      for (let written = opened; written <= calls; written++) cases.push([did, opened, written]);
  let asides = 0;
  const chosen = sample(cases, random);
  // Who keeps the file open for longer than that.
  for (const did of ["edited", "made", "emptied"] as const) chosen.push([did, 1, AFTERWARDS]);
  for (const [did, opened, written] of chosen) {
    let descriptor: number | undefined;
    let isWritten = false;
    const { result, everything } = await restoreWith(did, (count, path) => {
      if (count === opened && fs.existsSync(path)) descriptor = fs.openSync(path, "a");
      if (count !== written || descriptor === undefined) return;
      fs.writeSync(descriptor, TOKEN);
      fs.closeSync(descriptor);
      descriptor = undefined;
      isWritten = true;
    });
    if (descriptor !== undefined) fs.closeSync(descriptor);
    const found = everything.some((text) => text.includes(TOKEN));
    if (isWritten && !found)
      throw new Error(
        `${did}, opened at ${opened}, written at ${written}: lost. ${JSON.stringify({ result, everything })}`,
      );
    asides += result.conflicts.filter(({ detail }) => detail !== undefined).length;
  }
  console.log(`late writes: ${chosen.length} of ${cases.length} cases, ${asides} kept aside`);
}, 900_000);

function sample<Item>(items: readonly Item[], random: () => number): Item[] {
  return LONG ? [...items] : items.filter(() => random() < SAMPLE / items.length);
}
