// Bodies that nobody's JSON.stringify writes, made to be read wrongly: a gate that remembers must not be led astray by
// them. What it says is always what a check of the whole body says.
import { expect, test } from "bun:test";
import { WireGateError } from "../../domain/error.ts";
import { createGate, findViolations } from "./gate.ts";

const USER = '{"role":"user","content":"x"}';
const TEXT = '{"role":"assistant","content":"y"}';
const CALL =
  '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"bash","arguments":"{}"}}]}';
const RETURN = '{"role":"tool","tool_call_id":"a","content":"z"}';

function check(...bodies: string[]): void {
  const gate = createGate("openai-chat");
  for (const body of bodies) {
    let violations: readonly string[] = [];
    try {
      gate(body, "");
    } catch (error) {
      if (!(error instanceof WireGateError)) throw error;
      violations = error.violations;
    }
    expect(violations).toEqual(findViolations("openai-chat", body));
  }
}

test("a longer name that ends like the list's", () => {
  check(String.raw`{"foo\"messages":[${USER}],"model":"m"}`);
  check(String.raw`{"foo\"messages":1,"messages": [],"foo\"messages":[${USER}],"model":"m"}`);
});

test("a second list after the conversation, as long as its last message", () => {
  const wrong = '{"content":"x","role":"usee"}';
  expect(wrong.length).toBe(USER.length);
  check(`{"model":"m","messages":[${USER},${TEXT},${USER}],"messages":[${wrong}]}`);
});

test("a second list in the midst of the conversation", () => {
  const rounds = [USER, CALL, RETURN, TEXT].join();
  for (const name of ["messages", "tools", "model", "0"]) {
    const body = `{"model":"m","messages":[${rounds},${rounds}],"${name}":[${rounds},${rounds},${USER}],"stream":true}`;
    check(body, body, body.replace(`${USER}],"stream"`, `${USER},${RETURN}],"stream"`));
  }
});

test("blanks that make up for a message", () => {
  const blanks = (text: string) => " ".repeat(text.length + 1);
  const before = `{"model":"m","messages":[${USER},${TEXT},${CALL}`;
  check(
    `${before},${RETURN}${blanks(CALL)},${USER},${TEXT}],"stream":true}`,
    `${before},${USER}],"stream":true}`,
  );
});

test("a comma too many, or a comma too few", () => {
  const before = `{"model":"m","messages":[${[USER, TEXT, USER, TEXT, USER, TEXT].join()}`;
  const passes = `${before},${USER}],"stream":true}`;
  check(passes, `${before},],"stream":true}`, passes, `${before},,${USER}],"stream":true}`);
  check(passes, passes.replaceAll("},{", "}{"), passes, `${before}],"stream":true}`);
});

test("no message at all where there were some", () => {
  check(
    '{"model":"m","messages":[],"stream":true}',
    '{"model":"m","messages":[',
    '{"model":"m","messages":[]',
  );
});

test("parameters of a tool that look like messages", () => {
  const tools =
    '"tools":[{"type":"function","function":{"name":"bash","parameters":{"role":"x","type":"object"}}}]';
  check(
    `{"model":"m","messages":[${USER}],${tools}}`,
    `{"model":"m","messages":[${USER},${RETURN}],${tools}}`,
  );
});

test("a half of a character that was overlooked is not found later", () => {
  const rest = `${[USER, TEXT, USER, TEXT, USER, TEXT].join()}`;
  for (const half of ["\ud83d", String.raw`\uD83D`, String.raw`\ud83d`]) {
    const body = (last: string) =>
      `{"model":"m","messages":[{"role":"user","content":"${half}"},${rest},{"role":"user","content":"${last}"}]}`;
    check(body("x"), body(String.raw`\\ud83d`));
  }
});
