import { expect, test } from "bun:test";
import { ABSENT, type FileChange, type FileImage } from "../domain/file-change.ts";
import { changesInWords, countFiles, describeRestored, namesIn } from "./change-words.ts";

const FILE: FileImage = { type: "file", content: "sha256:1", mode: 0o644, size: 1 };
const FOLDER: FileImage = { type: "folder", mode: 0o755 };

function change(path: string, before: FileImage = FILE, after: FileImage = FILE): FileChange {
  return { path, before, after };
}

test("a turn in a few words", () => {
  const changes = ["a", "b"].map((path) => change(path));
  expect(changesInWords({ changes, lines: { added: 12, removed: 3 } })).toBe("+12 −3, 2 files");
  expect(changesInWords({ changes, lines: { added: 0, removed: 0 } })).toBe("2 files");
  expect(changesInWords({ changes, lines: null })).toBe("2 files");
  expect(changesInWords({ changes: [], lines: { added: 0, removed: 0 } })).toBe("");
});

test("a folder counts only where no file changed", () => {
  const folder = change("new", ABSENT, FOLDER);
  expect(countFiles([folder])).toBe("1 folder");
  expect(countFiles([folder, change("new/a", ABSENT, FILE)])).toBe("1 file");
  expect(countFiles([change("a", FOLDER, FILE)])).toBe("1 file");
});

test("what was put back is told apart from what was removed", () => {
  const folder = change("d", FOLDER, ABSENT);
  expect(
    describeRestored([folder, change("a"), change("b", FILE, ABSENT), change("c", ABSENT, FILE)]),
  ).toEqual(["2 files put back: a, c.", "1 file removed: b."]);
  expect(describeRestored([])).toEqual([]);
});

test("many names are counted, and none hides anything", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => change(`f${index}`));
  expect(namesIn(names(5))).toBe("f0, f1, f2, f3, f4");
  expect(namesIn(names(6))).toBe("f0, f1, f2, f3 and 2 more");
  expect(namesIn([change("a\u001b[2Kb")])).toBe("a⟨U+001B⟩[2Kb");
});
