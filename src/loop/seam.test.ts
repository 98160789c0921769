import { describe, expect, test } from "bun:test";
import { BEGAN_AGAIN, lastWords, Seam } from "./seam.ts";

/** In pieces of any size the result is the same, so each size is tried. */
function joined(before: string, after: string): string {
  const results = [1, 3, 1_000].map((size) => {
    const seam = new Seam(before);
    let text = before;
    for (let start = 0; start < after.length; start += size)
      text += seam.push(after.slice(start, start + size));
    return text + seam.end();
  });
  expect(new Set(results).size).toBe(1);
  return results[0] ?? "";
}

const LONG = "The first tuna swims north. The second one sleeps. ";

describe("an answer is joined", () => {
  const cases: [name: string, before: string, after: string, whole: string][] = [
    ["that goes on", "The tuna is a fi", "sh that swims.", "The tuna is a fish that swims."],
    ["that goes on after a space", "Hello ", "world", "Hello world"],
    ["that goes on with a space", "Hello", " world", "Hello world"],
    ["that goes on with a line break after one", "One.\n", "\nTwo.", "One.\n\nTwo."],
    ["that goes on with indentation", "if (a) {\n  ", "  b();", "if (a) {\n    b();"],
    ["that says nothing more", "All done.", "", "All done."],
    ["that says only a line break", "All done.", "\n", "All done.\n"],
    ["that repeats its last words", "so it is a very big", "a very big fish", "so it is a very big fish"],
    ["that repeats the last words and ends", "so it is a very big.", "a very big.", "so it is a very big."],
    ["that repeats a cut word", "in the har", "harbour of Cadiz", "in the harbour of Cadiz"],
    ["that repeats a cut line", "list:\n- se", "- second", "list:\n- second"],
    ["that repeats a cut line of one word", "One.\nFinally, ", "Finally, two.", "One.\nFinally, two."],
    ["whose next line is the last one", "a:\nyes\n", "yes\nno", "a:\nyes\nyes\nno"],
    ["that repeats a sentence", `${LONG}The thi`, "The second one sleeps. The third", `${LONG}The third`],
    ["that repeats across a space", "One fish. ", "One fish. Two.", "One fish. Two."],
    ["that repeats with fewer line breaks", "One fish.\n\n", "One fish.\nTwo.", "One fish.\n\nTwo."],
    ["that repeats with more line breaks", "One fish. ", "One fish.\n\nTwo.", "One fish. \n\nTwo."],
    [
      "that repeats without spaces",
      "金枪鱼是一种很大的鱼",
      "很大的鱼，游得快",
      "金枪鱼是一种很大的鱼，游得快",
    ],
    ["that starts over", LONG, `${LONG}The third.`, `${LONG}The third.`],
    ["that starts over after one letter", "I", "I think", "I think"],
    ["that starts over and stops early", LONG, "The first tuna swims north.", LONG],
    ["that starts over in white space", "Yes, so it is", "\n\nYes, so it is.", "Yes, so it is."],
    ["whose next word is the last one", "I know that ", "that is so.", "I know that that is so."],
    ["whose word has a half twice", "we mur", "mured", "we mured"],
    ["with figures that repeat", "it is 20", "2026", "it is 202026"],
    ["with braces that repeat", "a();\n  }\n", "}\n", "a();\n  }\n}\n"],
    ["with what stands elsewhere in it", "a b c d", " a b x", "a b c d a b x"],
  ];
  for (const [name, before, after, whole] of cases)
    test(name, () => expect(joined(before, after)).toBe(whole));

  test("that starts over with other words, and the place is marked", () => {
    const again = "The first tuna swims south.";
    expect(joined(`${LONG}And`, again)).toBe(`${LONG}And${BEGAN_AGAIN}${again}`);
  });
});

test("blank text is held back until there are words", () => {
  const seam = new Seam("");
  expect([seam.push("\n"), seam.push("\n"), seam.push("Hi"), seam.push(" "), seam.end()]).toEqual([
    ...["", "", "\n\nHi", " "],
    "",
  ]);
});

test("what is new is shown as soon as it can be told from a repetition", () => {
  const seam = new Seam("one two three");
  expect([seam.push(" t"), seam.push("w"), seam.push("enty"), seam.push(" four")]).toEqual([
    ...["", "", " twenty"],
    " four",
  ]);
});

test("a model is asked to repeat a few words, however long they are", () => {
  expect(lastWords("one two three four five six seven eight.\n")).toBe("three four five six seven eight.");
  expect(lastWords("f(a, b);\n  }\n}\n}\n}\n}\n}\n")).toBe("f(a, b);\n  }\n}\n}\n}\n}\n}");
  expect(lastWords("a".repeat(1_000))).toBe("a".repeat(160));
  expect(lastWords("🐟".repeat(1_000)).isWellFormed()).toBe(true);
});
