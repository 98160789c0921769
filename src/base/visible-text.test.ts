import { expect, test } from "bun:test";
import { readBack } from "../../test/support/read-back.ts";
import { exactLine, visibleLine } from "./visible-text.ts";

const BOTH: Readonly<Record<string, readonly [string, string]>> = {
  "plain text": ["git commit -m 'ä 漢 🐟 → done'", "git commit -m 'ä 漢 🐟 → done'"],
  "a carriage return": ["touch x #\rls -la", "touch x #⟨U+000D⟩ls -la"],
  "an escape sequence": ["\x1b[8mrm\x1b[0m\u009b1m\x7f", "⟨U+001B⟩[8mrm⟨U+001B⟩[0m⟨U+009B⟩1m⟨U+007F⟩"],
  "odd spaces": ["a\u00a0b\u3000c\u200ad\u2028e", "a⟨U+00A0⟩b⟨U+3000⟩c⟨U+200A⟩d⟨U+2028⟩e"],
  "zero width and direction": ["a\u200bb\u202ec\u2066d\ufeff", "a⟨U+200B⟩b⟨U+202E⟩c⟨U+2066⟩d⟨U+FEFF⟩"],
  "joiners and selectors": ["👩\u200d👧❤\ufe0f", "👩⟨U+200D⟩👧❤⟨U+FE0F⟩"],
  "invisible letters": ["a\u3164b\u115fc\u{e0041}\u{e000}", "a⟨U+3164⟩b⟨U+115F⟩c⟨U+E0041⟩⟨U+E000⟩"],
  "accents apart from their letter": ["e\u0301 \u0301x", "e⟨U+0301⟩ ⟨U+0301⟩x"],
  "many of the same": ["a\u200b\u200b\u200bb", "a⟨U+200B×3⟩b"],
  "many blanks": [`a${" ".repeat(500)}b ${"  "}`, "a⟨U+0020×500⟩b⟨U+0020×3⟩"],
  "our own notation": ["⟨U+000D⟩⇥", "⟨U+27E8⟩U+000D⟩⟨U+21E5⟩"],
  "tabs within": ["a\tb\t", "a⟨U+0009⟩b⟨U+0009⟩"],
  "tabs before": ["\t \tb", "⇥    ⇥   b"],
  "only blanks": ["\t ", "⇥   ⟨U+0020⟩"],
  "a line break": ["a\nb", "a⟨U+000A⟩b"],
};
const EXACT: Readonly<Record<string, readonly [string, string, string]>> = {
  "a letter of another alphabet": ["p\u0430ypal отчёт", "p\u0430ypal отчёт", "p⟨U+0430⟩ypal отчёт"],
  "signs that look like ASCII": ["ls；rm ∕x", "ls；rm ∕x", "ls⟨U+FF1B⟩rm ⟨U+2215⟩x"],
  "right to left": ["שלום", "שלום", "⟨U+05E9⟩⟨U+05DC⟩⟨U+05D5⟩⟨U+05DD⟩"],
  "marks that a script needs": ["กี้", "กี้", "ก⟨U+0E35⟩⟨U+0E49⟩"],
};

for (const [name, [text, drawn]] of Object.entries(BOTH))
  test(`nothing is hidden: ${name}`, () => {
    expect(visibleLine(text)).toBe(drawn);
    expect(exactLine(text)).toBe(drawn);
    expect(readBack(drawn)).toBe(text);
  });

for (const [name, [text, visible, exact]] of Object.entries(EXACT))
  test(`drawn as it is in a file, by number in a command: ${name}`, () => {
    expect(visibleLine(text)).toBe(visible);
    expect(exactLine(text)).toBe(exact);
    expect(readBack(exact)).toBe(text);
  });

test("half a pair becomes what its bytes would be", () => expect(exactLine("a\ud800b")).toBe("a⟨U+FFFD⟩b"));

test("every character can be read back, and nothing without a shape is drawn as it is", () => {
  const known = /^[\p{L}\p{N}\p{P}\p{S} ]*$/u;
  for (let from = 0; from <= 0x10ffff; from += 256) {
    // Half pairs, and whole planes without characters.
    if ((from >= 0xd800 && from <= 0xdfff) || (from >= 0x34000 && from < 0xe0000) || from > 0xe1000) continue;
    const text = Array.from({ length: 256 }, (_, index) => String.fromCodePoint(from + index)).join("a");
    for (const drawn of [visibleLine(text), exactLine(text)]) expect(readBack(drawn)).toBe(text);
    expect(exactLine(text)).toMatch(known);
  }
});

test("long lines of every kind take linear time", () => {
  for (const piece of ["a", " ", "\t", "\u0301", "กี้", "aа", "⟨", "\ud800", "é", " \t"])
    for (const draw of [visibleLine, exactLine]) draw(piece.repeat(50_000));
});
