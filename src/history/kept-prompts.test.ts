// Which of a person's prompts stay beside a summary.
import { expect, test } from "bun:test";
import { typedText } from "../domain/content.ts";
import type { UserPromptPart } from "../domain/part.ts";
import { contentCharacters } from "../domain/tokens.ts";
import { keepNewest, keptPromptsNotice, mostPromptTokens } from "./kept-prompts.ts";

/** Prompts of ten tokens each, oldest first. */
const prompts = (...names: readonly string[]): UserPromptPart[] =>
  names.map((name) => ({ kind: "user-prompt", content: name.padEnd(40, ".") }));
const names = (kept: readonly UserPromptPart[]) =>
  kept.map(({ content }) => String(content).charAt(0)).join("");

test("the newest stay up to the cap, in their order, and the oldest go first", () => {
  for (const [tokens, kept, dropped] of [
    [40, "abcd", 0],
    [39, "bcd", 1],
    [10, "d", 3],
  ] as const) {
    const found = keepNewest(prompts("a", "b", "c", "d"), tokens);
    expect([names(found.prompts), found.dropped, found.shortened]).toEqual([kept, dropped, false]);
  }
  expect(keepNewest([], 10)).toEqual({ prompts: [], dropped: 0, shortened: false });
});

test("a prompt that does not fit takes the older ones with it, even those that would fit", () => {
  const long: UserPromptPart = { kind: "user-prompt", content: "x".repeat(400) };
  const found = keepNewest([...prompts("a"), long, ...prompts("c")], 50);
  expect([names(found.prompts), found.dropped]).toEqual(["c", 2]);
});

test("the newest prompt keeps its beginning and its end where it alone is longer than the cap", () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  const text = `begin ${"x".repeat(9_000)} end`;
  for (const content of [text, [image, { type: "text", text } as const]]) {
    const first = keepNewest([...prompts("a"), { kind: "user-prompt", content }], 500);
    expect(first).toMatchObject({ dropped: 1, shortened: true });
    const [kept] = first.prompts;
    expect(String(kept?.content)).toMatch(/begin x.* characters left out .*x end$/s);
    expect(contentCharacters(kept?.content ?? "")).toBeLessThanOrEqual(2_000);
    // The next compaction finds it short enough.
    expect(keepNewest(first.prompts, 500)).toEqual({ prompts: first.prompts, dropped: 0, shortened: false });
  }
});

test("a file that goes with a prompt never becomes part of the person's words", () => {
  const text = "see the file";
  const content = [
    { type: "text", text },
    { type: "text", text: `of the file ${"x".repeat(9_000)} end` },
  ] as const;
  const { prompts: kept } = keepNewest([{ kind: "user-prompt", content }], 500);
  expect(typedText(kept[0]?.content ?? "")).toBe(text);
  expect(JSON.stringify(kept)).toMatch(/of the file x.* characters left out .*x end/);
  expect(contentCharacters(kept[0]?.content ?? "")).toBeLessThanOrEqual(2_000);
});

test("the cap is 20,000 tokens, or a tenth of a smaller window", () => {
  expect([mostPromptTokens(), mostPromptTokens(1_000_000), mostPromptTokens(8_000)]).toEqual([
    20_000, 20_000, 800,
  ]);
});

test("the person is told what no longer fits, and nothing if everything does", () => {
  expect(keptPromptsNotice({ prompts: [], dropped: 0, shortened: false })).toBeNull();
  expect(keptPromptsNotice({ prompts: [], dropped: 2, shortened: true })).toBe(
    "2 earlier messages of yours no longer fit beside the summary, and the middle of a long message of yours is left out. The session's journal keeps every word.",
  );
});
