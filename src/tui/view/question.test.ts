// What a question shows in little room.

import { describe, expect, test } from "bun:test";
import { offering, questionAbout } from "../../../test/support/permission-question.ts";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { PermissionQuestion } from "../../domain/permission.ts";
import { NEW_QUESTION, type Question } from "../state/question.ts";
import { questionView } from "./question.ts";

const LONG_COMMAND = ["cat > notes.txt <<X", ...new Array(40).fill("text"), "X", "rm -rf build"].join("\n");
const ASKED = questionAbout({
  toolName: "bash",
  args: { command: LONG_COMMAND },
  decision: { decision: "ask", reason: "It writes to notes.txt.", commands: ["cat", "rm -rf build"] },
  offers: offering("bash(cat)", "write(notes.txt)", "bash(rm -rf build)"),
});

function drawn(asked: PermissionQuestion, width: number, rows: number, selected = 0): string[] {
  const canvas = { ...PLAIN_CANVAS, width };
  const question: Question = { id: 1, ...NEW_QUESTION, selected, kind: "permission", question: asked };
  return questionView(question, canvas, { rows, of: 1 }).map(stripTerminalControls);
}

const shown = (width: number, rows: number) => drawn(ASKED, width, rows);

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
    expect(text).toContain(
      "don't ask again in this session: bash(cat), write(notes.txt), bash(rm -rf build)",
    );
  });

  test("shows a line of the command and every answer on the smallest screen", () => {
    const lines = shown(40, 9);
    expect(lines.length).toBeLessThanOrEqual(9);
    expect(lines[1]).toBe("│ $ cat > notes.txt <<X");
    for (const key of ["y", "a", "n", "s"])
      expect(lines.some((line) => line.includes(` ${key}  `))).toBe(true);
  });
});

describe("a question with many answers", () => {
  const offers = Array.from({ length: 8 }, (_, number) =>
    offering(`bash(npm run something-with-a-long-name-${number}:*)`, "write(src/**)"),
  ).flat();
  const asked = questionAbout({ ...ASKED, offers });

  test("shows all of them and a part of the command on a usual screen", () => {
    const lines = drawn(asked, 80, 20);
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(lines).toContain("│ $ cat > notes.txt <<X");
    for (const key of ["y", "a", "2", "3", "4", "5", "6", "7", "8", "n", "s"])
      expect(lines.some((line) => line.includes(` ${key}  `))).toBe(true);
  });

  test("shows those around the selected one on a small screen", () => {
    const lines = drawn(asked, 80, 9, 10);
    expect(lines.length).toBe(9);
    expect(lines.at(-2)).toBe("│ ❯ s  Stop");
  });
});

describe("hidden characters are seen", () => {
  test("in the arguments of a tool that nobody knows, and in the rules that would be added", () => {
    const lines = drawn(
      questionAbout({
        toolName: "other",
        args: { path: "a\u202eb", list: ["\u200b"] },
        decision: { decision: "ask", reason: "why \u2066" },
        offers: offering("other(x\u00a0)"),
      }),
      80,
      20,
    ).join("\n");
    for (const text of ["a⟨U+202E⟩b", "⟨U+200B⟩", "why ⟨U+2066⟩", "other(x⟨U+00A0⟩)"])
      expect(lines).toContain(text);
  });

  test("in an address, whose real host is told in both forms", () => {
    const args = { url: "https://good.com@\u0430pple.com/" };
    const decision = { decision: "ask", reason: "why" } as const;
    const lines = drawn(questionAbout({ toolName: "web_fetch", args, decision }), 80, 20);
    expect(lines).toContain("│ Host: xn--pple-43d.com (⟨U+0430⟩pple.com)");
  });

  test("and a reason can't pass for a line of the command", () => {
    const decision = { decision: "ask", reason: `${"word ".repeat(20)}$ harmless` } as const;
    const asked = questionAbout({ toolName: "bash", args: { command: "ls" }, decision });
    for (let width = 30; width < 90; width++)
      expect(drawn(asked, width, 30).filter((line) => line.startsWith("│ $ "))).toEqual(["│ $ ls"]);
  });
});
