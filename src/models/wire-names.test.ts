import { expect, test } from "bun:test";
import { dialectOf } from "./dialect.ts";
import { resolveProvider } from "./resolve-provider.ts";
import { wireCallId, wireToolName } from "./wire-names.ts";

const dialect = (name: string) => dialectOf(resolveProvider(name, { env: {} }), "m");

test.each(["openai", "anthropic", "google", "groq"])("%s: a fitting id stays unchanged", (name) => {
  expect(wireCallId("call_Abc-9", dialect(name))).toBe("call_Abc-9");
});

test.each([
  ["groq", "x".repeat(41)],
  ["openai", "x".repeat(65)],
  ["anthropic", "functions.bash:0"],
  ["google", "ä"],
])("%s: %s is replaced, always by the same", (name, id) => {
  const { callId } = dialect(name);
  expect(wireCallId(id, dialect(name))).toMatch(callId);
  expect(wireCallId(id, dialect(name))).toBe(wireCallId(id, dialect(name)));
  expect(wireCallId(`${id}!`, dialect(name))).not.toBe(wireCallId(id, dialect(name)));
});

test("Mistral accepts only nine letters and digits", () => {
  expect(wireCallId("abcDEF123", dialect("mistral"))).toBe("abcDEF123");
  expect(wireCallId("call_Abc-9", dialect("mistral"))).toMatch(/^[a-zA-Z0-9]{9}$/);
  const ids = Array.from({ length: 5_000 }, (_, index) => wireCallId(`call_${index}`, dialect("mistral")));
  expect(new Set(ids).size).toBe(5_000);
});

test.each([
  ["read_file", "read_file"],
  ["my tool.1", "_my_tool_1"],
  ["", "unknown"],
  ["ä", "__"],
  ["x".repeat(80), `_${"x".repeat(63)}`],
])("the tool name %s becomes %s", (name, expected) => {
  expect(wireToolName(name, dialect("openai"))).toBe(expected);
});

test("Google's names begin with a letter", () => {
  expect(wireToolName("1st", dialect("google"))).toBe("_1st");
});
