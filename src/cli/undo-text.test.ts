// How `tunacode undo` says what it did, what stayed, and what to do about it.
import { expect, test } from "bun:test";
import type { BackConflict, PastTurn } from "../app/undo.ts";
import { ABSENT, type FileImage } from "../domain/file-change.ts";
import { backText, type Done, turnsText, uncoveredText } from "./undo-text.ts";

const FILE: FileImage = { type: "file", content: "sha256:ab", mode: 0o644, size: 3 };
const DONE: Done = {
  type: "done",
  changes: [
    { path: "src/a.ts", before: FILE, after: FILE },
    { path: "new.txt", before: FILE, after: ABSENT },
    { path: "gone.txt", before: ABSENT, after: FILE },
  ],
  conflicts: [],
  prompt: "fix it\nand more",
  remarks: ["Git's index stays as it is."],
  request: { target: { type: "last" }, scope: "both" },
  isDryRun: false,
};
const conflict = (path: string, canOverwrite = true): BackConflict => ({
  change: { path, before: FILE, after: FILE },
  why: "It was changed since.",
  canOverwrite,
});
const diff = {
  type: "text",
  diff: "@@ -1 +1 @@\n-theirs\n+ours\u001b[2J\n",
  lines: { added: 1, removed: 1 },
} as const;

test("what was done is a line for each file, the prompt, and remarks", () => {
  expect(backText(DONE)).toBe(
    [
      "restored     src/a.ts",
      "removed      new.txt",
      "brought back gone.txt",
      "The conversation is as before the prompt: fix it",
      "Git's index stays as it is.",
      "",
    ].join("\n"),
  );
  const files = { target: { type: "prompt", number: 2 }, scope: "files" } as const;
  const tried = backText({ ...DONE, request: files, isDryRun: true });
  expect(tried).not.toContain("conversation");
  expect(tried).toEndWith("Nothing was changed: this was a dry run.\n");
});

test("a conflict is shown with its diff, nothing hidden in it, and with the command that overwrites", () => {
  const conflicts = [
    { ...conflict("it's"), diff },
    { ...conflict("b.bin", false), diff: { type: "none", reason: "The file is not text." } as const },
  ];
  expect(backText({ ...DONE, changes: [], prompt: null, remarks: [], conflicts })).toBe(
    [
      "conflict     it's",
      "    It was changed since.",
      "    @@ -1 +1 @@",
      "    -theirs",
      "    +ours⟨U+001B⟩[2J",
      "conflict     b.bin",
      "    It was changed since.",
      "    The file is not text.",
      "The conflicts stay as they are. To overwrite what is there now: tunacode undo --redo && tunacode undo --overwrite 'it'\\''s'",
      "",
    ].join("\n"),
  );
  const [first] = conflicts;
  const to = { target: { type: "prompt", number: 2 }, scope: "files" } as const;
  const tried = backText({
    ...DONE,
    session: "5291dee5",
    conflicts: first === undefined ? [] : [first],
    request: to,
    isDryRun: true,
  });
  expect(tried).toContain("now: tunacode undo 5291dee5 --to 2 --files-only --overwrite 'it'\\''s'\n");
});

test("prompts are listed with what each changed", () => {
  const turn = (number: number, more: Partial<PastTurn>): PastTurn => ({
    number,
    requestId: `r${number}`,
    prompt: `prompt ${number}\nsecond line`,
    at: "2026-11-16T07:00:00.000Z",
    calls: [],
    others: [],
    changes: [],
    lines: null,
    isUndone: false,
    ...more,
  });
  const { changes } = DONE;
  expect(
    turnsText([
      turn(1, { changes, lines: { added: 12, removed: 3 } }),
      turn(2, { isUndone: true }),
      turn(3, { others: [...changes, ...changes] }),
    ]),
  ).toBe(
    [
      "  1  2026-11-16 07:00  3 files  +12 −3               prompt 1",
      "  2  2026-11-16 07:00                   taken back   prompt 2",
      "  3  2026-11-16 07:00                   3 by others  prompt 3",
      "",
    ].join("\n"),
  );
});

test("names of files that are not covered show all of their characters", () => {
  expect(uncoveredText([{ path: "a\u200bb", why: "too large" }])).toBe("too large  a⟨U+200B⟩b\n");
});
