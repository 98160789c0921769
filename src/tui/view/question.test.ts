// What a question shows in little room.

import { describe, expect, test } from "bun:test";
import { offering, questionAbout } from "../../../test/support/permission-question.ts";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { NEW_QUESTION, type Question } from "../state/question.ts";
import { questionView } from "./question.ts";

const LONG_COMMAND = ["cat > notes.txt <<X", ...new Array(40).fill("text"), "X", "rm -rf build"].join("\n");
const ASKED = questionAbout({
  toolName: "bash",
  args: { command: LONG_COMMAND },
  decision: { decision: "ask", reason: "It writes to notes.txt.", commands: ["cat", "rm -rf build"] },
  offers: offering("bash(cat)", "write(notes.txt)", "bash(rm -rf build)"),
});

function shown(width: number, rows: number): string[] {
  const canvas = { ...PLAIN_CANVAS, width };
  const question: Question = { id: 1, ...NEW_QUESTION, kind: "permission", question: ASKED };
  return questionView(question, canvas, { rows, of: 1 }).map(stripTerminalControls);
}

describe("a question about a long command", () => {
  test("shows what it runs and why it is asked", () => {
    const lines = shown(80, 20);
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(lines).toContain("│ It runs: cat · rm -rf build");
    expect(lines).toContain("│ Asked because: It writes to notes.txt.");
    expect(lines.join("\n")).toContain("more lines (Ctrl-O shows all)");
  });

  test("shows the whole rules that would be added", () => {
    const text = shown(60, 20)
      .map((line) => line.slice(2).trim())
      .join(" ");
    expect(text).toContain("don't ask again for bash(cat), write(notes.txt), bash(rm -rf build)");
  });

  test("shows a line of the command and every answer on the smallest screen", () => {
    const lines = shown(40, 9);
    expect(lines.length).toBeLessThanOrEqual(9);
    expect(lines[1]).toBe("│ $ cat > notes.txt <<X");
    for (const key of ["y", "a", "n", "s"])
      expect(lines.some((line) => line.includes(` ${key}  `))).toBe(true);
  });
});
