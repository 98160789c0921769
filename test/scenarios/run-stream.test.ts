// `tunacode run` prints its text as it comes: on a terminal, and elsewhere with --stream. Whatever ends the request,
// what had come is printed.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInTerminal } from "../../scripts/terminal-run.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { type Answer, answer, call, refuse, text } from "../support/strict-llm-server/turn.ts";
import { VirtualTerminal } from "../support/virtual-terminal.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
  writeFileSync(join(lab.folder, "note.txt"), "inside\n");
}, 120_000);
afterAll(() => lab.close());
beforeEach(() => {
  lab.script([]);
  rmSync(join(lab.home, ".local"), { recursive: true, force: true });
});

const looking = () => answer("Let me look.", call("read_file", { filepath: "note.txt" }));
/** Inside the second delta. */
const MIDDLE = 620;
/** The first words come, and then nothing. */
const stalled = (): Answer => ({
  ...answer(text("The first words, and the rest.", ["The first words,", " and the rest."])),
  delivery: { pieces: "event", pauses: [{ beforeByte: MIDDLE, ms: Number.POSITIVE_INFINITY }] },
});

test("--stream prints each text when it comes, with a blank line between responses", async () => {
  lab.script([looking(), stalled()]);
  const running = lab.start(["run", "--stream", "read it"]);
  await running.printed("Let me look.\n\nThe first words,");
  running.child.kill("SIGINT");
  const { code, stdout } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: "Let me look.\n\nThe first words,\n" });
});

test("one answer is printed byte for byte as without --stream", async () => {
  for (const words of ["One.", "One.\n", "\n\nOne.\n\nTwo.\n\n", "  indented\n    more"]) {
    lab.script([answer(text(words, 2)), answer(text(words, 2))]);
    const plain = await lab.run(["run", "hi"]);
    expect(await lab.run(["run", "--stream", "hi"])).toEqual(plain);
  }
});

function journals(): string {
  const folder = join(lab.home, ".local/share/tunacode/sessions");
  if (!existsSync(folder)) return "";
  const newest = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return newest.map((name) => readFileSync(join(folder, name), "utf8")).join("");
}

test.each([
  ["a deadline", 124, "longer than 3 s"],
  ["an abort", 130, "stopped"],
])("after %s what had come is printed without --stream too", async (why, code, message) => {
  lab.script([looking(), stalled()]);
  const running = lab.start(["run", ...(why === "an abort" ? [] : ["--timeout", "3"]), "read it"]);
  if (why === "an abort") {
    // The journal says when the words have come.
    while (!journals().includes("The first words")) await Bun.sleep(50);
    running.child.kill("SIGINT");
  }
  const ended = await running.ended;
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: "The first words,\n" });
  expect(ended.stderr).toContain(message);
});

test.each([[["--stream"]], [[]]])("a vendor that fails in the middle: %p", async (flags) => {
  const cut = { ...stalled(), delivery: { cut: { atByte: MIDDLE, how: "end" } } } as const;
  let asked = 0;
  lab.script(() => (asked++ === 0 ? cut : refuse(401, { message: "bad key" })));
  const { code, stdout, stderr } = await lab.run(["run", ...flags, "hi"]);
  expect(code).toBeGreaterThan(0);
  expect(stdout).toBe("The first words,\n");
  expect(stderr).toContain("tunacode: ");
});

test("a reader that closes the pipe ends it with 141", async () => {
  lab.script([{ ...answer(text("word ".repeat(40_000), 50)), delivery: { pieces: "event" } }]);
  const running = lab.start(["run", "--stream", "hi"]);
  await running.printed("word");
  running.child.stdout?.destroy();
  expect((await running.ended).code).toBe(141);
});

test("--stream is for text", async () => {
  for (const flags of [
    ["--output", "json"],
    ["--output-schema", "x.json"],
    ["--output", "stream-json"],
  ]) {
    const { code, stderr } = await lab.run(["run", "--stream", ...flags, "hi"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--stream works only with text output");
  }
});

/** What is on the screen at the end, and all that was written. */
async function onTerminal(args: readonly string[]) {
  const { pieces, code } = await runInTerminal([lab.binary, "run", ...args], {
    columns: 80,
    rows: 24,
    cwd: lab.folder,
    env: lab.env,
  });
  const terminal = new VirtualTerminal(80, 24);
  for (const piece of pieces) terminal.write(piece.text);
  const lines = (await terminal.screen()).filter((line) => line.trim() !== "");
  return { code, pieces, lines };
}

test("on a terminal it streams, and neither progress nor notices come into a line of text", async () => {
  const slowly = { delivery: { pieces: "event", betweenPiecesMs: 130 } } as const;
  lab.script([
    {
      ...answer(text("Let me look.", ["Let ", "me ", "look."]), call("read_file", { filepath: "note.txt" })),
      ...slowly,
    },
    { ...answer(text("It says inside.", ["It ", "says ", "inside."])), ...slowly },
  ]);
  const { pieces, lines, code } = await onTerminal(["read it"]);
  expect(code).toBe(0);
  expect(lines.slice(0, 3)).toEqual([
    "Let me look.",
    expect.stringContaining("✓ Read note.txt"),
    "It says inside.",
  ]);
  expect(lines[3]).toContain("session ");
  const at = (words: string) => pieces.find((piece) => piece.text.includes(words))?.at ?? Number.NaN;
  expect(at("inside.")).toBeGreaterThan(at("says"));
});

test("on a terminal a break is told between words, with a countdown, and the text goes on after it", async () => {
  const broken = { ...stalled(), delivery: { cut: { atByte: MIDDLE, how: "end" } } } as const;
  lab.script([broken, answer("The first words, and the rest.")]);
  const { pieces, lines, code } = await onTerminal(["hi"]);
  expect(code).toBe(0);
  const at = lines.findIndex((line) => line.trim() === "and the rest.");
  expect(lines[0]).toBe("The first words,");
  expect(at).toBeGreaterThan(1);
  const told = lines.slice(1, at).join(" ");
  expect(told).toStartWith("! ");
  expect(told).toMatch(/before it was whole\. Going on in [\d.]+ s \(attempt 1 of 3\)\.$/);
  const written = pieces.map((piece) => piece.text).join("");
  // In the notice, then in the status line, which is erased before the text goes on.
  expect(written.split(/going on in/i).length).toBeGreaterThan(2);
}, 20_000);

test("control sequences that are split between deltas do not reach the terminal", async () => {
  const deltas = [
    "a\x1b",
    "[31",
    "mred\x1b]0;ti",
    "tle\x07 b\x1b]52;c;ZXZpbA==",
    "\x1b",
    "\\ c\r",
    "\nd\re\x9b",
    "2Jf",
  ];
  lab.script([
    { ...answer(text(deltas.join(""), deltas)), delivery: { pieces: "event", betweenPiecesMs: 5 } },
  ]);
  const { pieces } = await onTerminal(["-q", "hi"]);
  expect(pieces.map((piece) => piece.text).join("")).toBe("ared b c\r\nd\r\nef\r\n");
});
