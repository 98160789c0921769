// Cutting an answer into blocks.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Block, blocksOf, feedText, finishText, NO_TEXT, shownBlock } from "./answer-blocks.ts";

describe("an answer is cut", () => {
  const cases: [text: string, outline: string][] = [
    ["one", "one"],
    ["one\ntwo", "one⏎two"],
    ["one\n\ntwo", "one | ^two"],
    ["# title\ntext", "# title | ^text"],
    ["intro:\n- a\n- b\n  more\n- c", "intro: | - a | - b⏎  more | - c"],
    ["1. a\n2. b\n\n3. c", "1. a | 2. b | ^3. c"],
    ["the year\n2020. was odd", "the year⏎2020. was odd"],
    ["- a\n\n  still a\n\nb", "- a⏎⏎  still a | ^b"],
    ["```ts\na\n\nb\n```\nafter", "<ts:a⏎⏎b> | ^after"],
    ["before\n```\na\n```", "before | <:a>"],
    ["```\nnever closed", "<:never closed>"],
    ["````\n```\ninside\n```\n````", "<:```⏎inside⏎```>"],
    ["- item\n  ```js\n  a\n    b\n  ```", "- item | <js:a⏎  b>"],
    ["| a |\n|---|\n| 1 |", "| a |⏎|---|⏎| 1 |"],
    ["\n\n  \n", ""],
  ];
  for (const [text, expected] of cases)
    test(JSON.stringify(text), () => expect(blocksOf(text).map(outline).join(" | ")).toBe(expected));
});

test("long code comes in pieces with one beginning and one end", () => {
  const code = Array.from({ length: 120 }, (_, index) => `line ${index}`).join("\n");
  const pieces = blocksOf(`\`\`\`ts\n${code}\n\`\`\``).filter((block) => block.type === "code");
  expect(pieces.map(({ opens, closes }) => [opens, closes])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  expect(pieces.map(({ text }) => text).join("\n")).toBe(code);
});

test("an answer is cut into the same blocks in whatever pieces it streams in", () => {
  const line = fc.constantFrom(
    "",
    "text",
    "- item",
    "1. item",
    "  indented",
    "# head",
    "```ts",
    "```",
    "a `b` c",
    "|x|",
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (lines, sizes) => {
        const text = lines.join("\n");
        let open = NO_TEXT;
        const closed: Block[] = [];
        for (let at = 0, step = 0; at < text.length; step++) {
          const size = sizes[step % Math.max(1, sizes.length)] ?? 5;
          const fed = feedText(open, text.slice(at, at + size));
          closed.push(...fed.closed);
          open = fed.open;
          at += size;
        }
        expect([...closed, ...finishText(open)]).toEqual([...blocksOf(text)]);
      },
    ),
  );
});

describe("while it streams", () => {
  const shown = (text: string) => {
    const block = shownBlock(feedText(NO_TEXT, text).open);
    return block === null ? "" : outline(block);
  };
  test("a fence that is being written is not shown as text", () => {
    expect(shown("one\n``")).toBe("one");
    expect(shown("``")).toBe("");
  });
  test("a closing fence that is being written is not shown as code", () => {
    expect(shown("```ts\na\n``")).toBe("(ts:a");
  });
  test("an unfinished line is shown", () => expect(shown("one\ntw")).toBe("one⏎tw"));
});

/** ^ marks a gap before it. Code is <language:code>, without the bracket where the piece does not open or close it. */
function outline(block: Block): string {
  const text = block.text.replaceAll("\n", "⏎");
  const gap = block.gap ? "^" : "";
  if (block.type === "prose") return gap + text;
  return `${gap}${block.closes ? "<" : "("}${block.language}:${text}${block.closes ? ">" : ""}`;
}
