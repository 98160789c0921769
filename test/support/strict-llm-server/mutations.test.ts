import { expect, test } from "bun:test";
import { judge } from "./judge.ts";
import { mutations } from "./mutations.ts";
import { validBodies } from "./valid-bodies/valid-bodies.ts";
import { WIRES, type Wire } from "./wire.ts";

const isLong = process.env["TUNACODE_LONG"] === "1";
/** Damage that every vendor rejects, regardless of the rest. */
const FATAL: Readonly<Record<Wire, RegExp>> = {
  "openai-chat": /^(drop|blank|rename|lengthen) .*(tool_calls\.\d+\.id|tool_call_id)/,
  "openai-responses": /^(drop|blank|rename|lengthen) .*(call_id|encrypted_content)/,
  anthropic: /^(drop|blank|rename) .*(tool_use_id|content\.\d+\.id|signature|data)$/,
  google: /^(blank|rename) .*(functionResponse\.name|functionCall\.name|thoughtSignature)$/,
};

for (const wire of WIRES) {
  test(`${wire}: mutations leave the body alone, and damage to ids is refused`, () => {
    let count = 0;
    let refused = 0;
    const forgiven: string[] = [];
    for (const { name, body } of validBodies(wire).filter((_, index) => isLong || index % 4 === 0)) {
      const before = JSON.stringify(body);
      for (const mutation of mutations(body, wire)) {
        count += 1;
        const isRefused = judge(wire, mutation.body).length > 0;
        if (isRefused) refused += 1;
        else if (FATAL[wire].test(mutation.name)) forgiven.push(`${name} | ${mutation.name}`);
      }
      expect(JSON.stringify(body)).toBe(before);
    }
    console.log(`${wire}: ${refused} of ${count} mutations refused`);
    expect(forgiven).toEqual([]);
    expect(refused).toBeGreaterThan(count / 2);
    expect(refused).toBeLessThan(count);
  }, 60_000);
}

test("a message and its list of blocks are dropped, doubled, swapped, renamed and blanked", () => {
  const body = {
    model: "m",
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", content: [{ type: "text", text: "b" }] },
    ],
  };
  const names = [...mutations(body, "anthropic")].map(({ name }) => name);
  for (const name of [
    "drop model",
    "drop messages.0",
    "double messages.1",
    "swap messages.0",
    "blank messages",
    "rename messages.0.role to assistant",
    "blank messages.0.content",
    "drop messages.1.content.0",
    "whiten messages.1.content.0.text",
  ]) {
    expect(names).toContain(name);
  }
  expect(new Set(names).size).toBe(names.length);
  const swapped = [...mutations(body, "anthropic")].find(({ name }) => name === "swap messages.0");
  expect(JSON.stringify(swapped?.body["messages"])).toBe(JSON.stringify(body.messages.toReversed()));
});
