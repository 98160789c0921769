import { expect, test } from "bun:test";
import { stripTerminalControls, TerminalTextStream } from "./terminal-text.ts";

const CASES: Readonly<Record<string, readonly [string, string]>> = {
  colours: ["\x1b[31;1mred\x1b[0m", "red"],
  "cursor movement": ["a\x1b[2A\x1b[Kb\x1b[?25l", "ab"],
  "a window title": ["\x1b]0;evil\x07ok", "ok"],
  "a hyperlink": ["\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
  "a clipboard write": ["\x1b]52;c;ZXZpbA==\x07", ""],
  "a device control string": ["\x1bP1;2|data\x1b\\ok", "ok"],
  "an unfinished title": ["\x1b]0;evil\nnext line", "\nnext line"],
  "an unfinished colour": ["a\x1b[31", "a31"],
  "a character set": ["\x1b(Bok\x1b=", "ok"],
  "eight-bit sequences": ["\u009b31mred\u0085", "red"],
  bells: ["a\x07b\x00c\x7f", "abc"],
  overstriking: ["N\bNA\bA", "NA"],
  "a progress bar": ["10%\r50%\r100%\ndone", "100%\ndone"],
  "a progress bar that goes on": ["10%\r50%\r", "50%"],
  "windows line ends": ["a\r\nb\r\n", "a\nb\n"],
  "tabs and other scripts": ["\tä 漢 🐟\n", "\tä 漢 🐟\n"],
};

for (const [name, [text, plain]] of Object.entries(CASES))
  test(`stripped: ${name}`, () => expect(stripTerminalControls(text)).toBe(plain));

test("long lines of every kind take linear time", () => {
  for (const piece of ["a", "\x1b", "\x1b]", "\r", "\x1b[1;", "\b"])
    stripTerminalControls(piece.repeat(1_000_000));
});

test("text in pieces is stripped wherever it is cut, and overwrites nothing", () => {
  for (const [name, [text, plain]] of Object.entries(CASES)) {
    if (["overstriking", "a progress bar", "a progress bar that goes on"].includes(name)) continue;
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = new TerminalTextStream();
      expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()).toBe(plain);
    }
  }
  const stream = new TerminalTextStream();
  expect(stream.push("10%\r") + stream.push("50%\r\nend") + stream.end()).toBe("10%\n50%\nend");
});

test("a sequence without end is not held back for ever", () => {
  const stream = new TerminalTextStream();
  stream.push(`\x1b]0;${"x".repeat(5_000)}`);
  expect(stream.push("on")).toBe("on");
});
