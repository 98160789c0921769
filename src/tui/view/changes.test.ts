import { expect, test } from "bun:test";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { ChangedFile, TurnChanges } from "../../front/contract.ts";
import { changesPieces } from "./changes.ts";
import { columns } from "./columns.ts";

const DIFF = "@@ -1,2 +1,2 @@\n same\n-old\n+new";
const file = (path: string, diff: ChangedFile["diff"] = text(DIFF)): ChangedFile => ({
  path,
  what: "changed",
  diff,
});

function text(diff: string): ChangedFile["diff"] {
  return { type: "text", diff, lines: { added: 1, removed: 1 } };
}

function turn(changes: Partial<TurnChanges>): TurnChanges {
  const lines = { added: 1, removed: 1 };
  return { number: 1, prompt: "go", at: 0, lines, isUndone: false, files: [], others: [], ...changes };
}

function drawn(turns: readonly TurnChanges[], width = 80): string[] {
  const canvas = { ...PLAIN_CANVAS, width, unfolded: true };
  return changesPieces(turns).flatMap((piece) => piece(canvas).map(stripTerminalControls));
}

test("the files are listed before the first diff", () => {
  const lines = drawn([turn({ files: [file("a")] }), turn({ number: 2, files: [file("b")] })]);
  const at = (found: RegExp) => lines.findIndex((line) => found.test(line));
  expect(at(/ M b /)).toBeLessThan(at(/── 1 ❯ go ─/));
  expect(at(/── 1 ❯ go ─/)).toBeLessThan(at(/^ {2}2 - old/));
});

test("what was taken back is listed without its diff", () => {
  const lines = drawn([turn({ files: [file("a")], isUndone: true })]).join("\n");
  expect(lines).toContain("taken back");
  expect(lines).not.toContain("- old");
});

test("a file without a diff says why", () => {
  const lines = drawn([turn({ files: [file("a.png", { type: "none", reason: "It is not a text." })] })]);
  expect(lines.join("\n")).toMatch(/M a\.png +It is not a text\./);
});

test.each([20, 40, 80, 200])("nothing is wider than %p columns", (width) => {
  const prompt = "a very long prompt ".repeat(20);
  const turns = [
    turn({ prompt, files: [file("p/".repeat(90)), file("ß漢字".repeat(40))], others: [file("x")] }),
  ];
  for (const line of drawn(turns, width)) expect(columns(line)).toBeLessThanOrEqual(width);
});
