// Long sentences on a terminal break between words.
import { expect, test } from "bun:test";
import { runCommand } from "../../test/support/command.ts";
import { errorMessage } from "../domain/error.ts";
import { chooseModel } from "../models/choose-model.ts";
import { wrapWords } from "./wrap-words.ts";

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

test("the message about a missing key fits into 80 columns without breaking a word or a command", async () => {
  const nobody = () => Promise.reject(new Error("nobody"));
  const message = errorMessage(await chooseModel({ env: {}, fetch: nobody }).catch((error) => error));
  const wrapped = wrapWords(`tunacode: ${message}`, 80);
  expect(Math.max(...wrapped.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(flat(wrapped)).toBe(flat(`tunacode: ${message}`));
  for (const command of ["`tunacode demo`", "`tunacode setup`"]) expect(wrapped).toContain(command);
});

test("continued lines of an item are indented further, and a word wider than the terminal stays whole", () => {
  expect(wrapWords("one two three\n  four five six", 11)).toBe("one two\nthree\n  four five\n    six");
  expect(wrapWords("see /a/very/long/path now", 10)).toBe("see\n/a/very/long/path\nnow");
  expect(wrapWords("short", 10)).toBe("short");
});

for (const args of [
  ["run", "hi", "--model", "nope:x"],
  ["models", "--cwd", `/a${" folder that is not there".repeat(4)}`],
])
  test(`an error of ${args[0]} is wrapped on a terminal and left alone in a pipe`, async () => {
    const told = async (terminal: boolean) =>
      (await runCommand(args, { terminal, cwd: "/", env: { HOME: "/nowhere" } })).stderr;
    const whole = (await told(false)).trim();
    expect(whole).not.toContain("\n");
    expect(whole.length).toBeGreaterThan(80);
    expect(await told(true)).toContain(`${wrapWords(whole, 80)}\n`);
  });
