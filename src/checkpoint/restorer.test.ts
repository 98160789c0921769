import { afterEach, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import {
  changesBetween,
  changeTree,
  describePicture,
  pictureOf,
  seededNumbers,
} from "../../test/support/changed-tree.ts";
import { newLabFolder, openLab } from "../../test/support/restore-lab.ts";

const ROUNDS = process.env["TUNACODE_LONG"] === "1" ? 3_000 : 20;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function newLab(...options: Parameters<typeof openLab> extends [string, ...infer Rest] ? Rest : never) {
  const folder = newLabFolder();
  folders.push(folder);
  return await openLab(folder, ...options);
}

test("every change of a tree is taken back, and redo brings it again", async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seededNumbers(seed * 7919);
    const { root, restorer, keepAll, intents, folder } = await newLab();
    for (let step = 0; step < 12; step++) changeTree(root, random);
    const before = pictureOf(root);
    await keepAll();
    for (let step = 0; step < 12; step++) changeTree(root, random);
    const after = pictureOf(root);
    const plan = await restorer.plan(changesBetween(before, after));
    expect(plan.conflicts).toEqual([]);
    const undone = await restorer.carryOut(plan, "undo", new Set());
    expect([seed, ...undone.conflicts]).toEqual([seed]);
    expect([seed, ...describePicture(pictureOf(root))]).toEqual([seed, ...describePicture(before)]);
    const redone = await restorer.carryOut(await restorer.plan(undone.changes), "redo", new Set());
    expect([seed, ...redone.conflicts]).toEqual([seed]);
    expect([seed, ...describePicture(pictureOf(root))]).toEqual([seed, ...describePicture(after)]);
    await restorer.settle("undo");
    await restorer.settle("redo");
    expect(readdirSync(intents)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  }
});
