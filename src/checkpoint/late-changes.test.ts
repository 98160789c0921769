import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ABSENT, type FileChange } from "../domain/file-change.ts";
import { type FileLook, lookAt } from "./file-look.ts";
import { splitAtEnd } from "./late-changes.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test("what changes once more after it was looked at is the call's as it was then", () => {
  const root = mkdtempSync(join(tmpdir(), "tunacode-late-"));
  made.push(root);
  for (const name of ["file", "same"]) writeFileSync(join(root, name), "of the call\n");
  for (const name of ["folder", "same folder"]) mkdirSync(join(root, name));
  const names = ["file", "same", "folder", "same folder", "gone", "still gone"];
  const looks = new Map(names.map((name) => [name, lookAt(join(root, name))]));
  writeFileSync(join(root, "file"), "of somebody else\n");
  rmSync(join(root, "folder"), { recursive: true });
  writeFileSync(join(root, "gone"), "of somebody else\n");
  const rowOf = (path: string) => row(path, looks.get(path) ?? null);
  const changes: FileChange[] = names.map((path) => ({ path, before: ABSENT, after: ABSENT }));
  const end = { atMs: Date.now() + 1_000, clock: root, root, hasChangedSince: () => true };
  const { early, late } = splitAtEnd(changes, end, { rowOf });
  expect(early.map(({ path }) => path)).toEqual(["file", "folder", "gone"]);
  expect(late.map(({ path }) => path)).toEqual(["same", "same folder", "still gone"]);
  // What was written after the end is late, whatever has happened to it since.
  const sooner = { ...end, atMs: 0 };
  expect(splitAtEnd(changes, sooner, { rowOf }).late.map(({ path }) => path)).toContain("file");
});

function row(path: string, look: FileLook | null) {
  return look === null ? undefined : { path, look, content: null, target: null, isFresh: false };
}
