import { afterEach, expect, test } from "bun:test";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rememberedRules } from "./remembered-rules.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newPerson() {
  const home = mkdtempSync(join(tmpdir(), "tunacode-remembered-"));
  folders.push(home);
  return rememberedRules({ HOME: home });
}

const allow = (text: string) => ({ verdict: "allow", text }) as const;

test("a rule is kept for its project alone until it is taken back, in a file that nobody else may read", () => {
  const remembered = newPerson();
  expect(remembered.read("/p")).toEqual({ rules: { allow: [], ask: [], deny: [] }, problems: [] });
  remembered.keep("/p", allow("bash(npm test)"));
  remembered.keep("/p", { verdict: "deny", text: "bash(rm)" });
  remembered.keep("/p/inner", allow("bash(make)"));
  expect(remembered.read("/p").rules).toEqual({ allow: ["bash(npm test)"], ask: [], deny: ["bash(rm)"] });
  expect(remembered.read("/").rules.allow).toEqual([]);
  expect(statSync(remembered.path).mode & 0o777).toBe(0o600);
  remembered.forget("/p", allow("bash(npm test)"));
  expect(remembered.read("/p").rules).toEqual({ allow: [], ask: [], deny: ["bash(rm)"] });
  remembered.keep("/p", allow("bash(npm test)"));
  expect(remembered.read("/p").rules.allow).toEqual(["bash(npm test)"]);
});

test("a damaged line is told, and costs no other rule, before it or after it", () => {
  const remembered = newPerson();
  remembered.keep("/p", allow("one"));
  appendFileSync(remembered.path, '\n{"project":"/p","verdict":"allow","ru');
  remembered.keep("/p", allow("two"));
  for (const line of [
    "null",
    "[]",
    '{"project":"/p"}',
    '{"project":"/p","verdict":"may","rule":"x","kept":true}',
  ])
    appendFileSync(remembered.path, `\n${line}`);
  const { rules, problems } = remembered.read("/p");
  expect(rules.allow).toEqual(["one", "two"]);
  expect(problems).toEqual(
    [3, 5, 6, 7, 8].map(
      (line) => `Line ${line} of ${remembered.path} is damaged and ignored: correct or delete it.`,
    ),
  );
});

test("what can't be read or written is an error, because a deny rule may be in it", () => {
  const folder = newPerson();
  mkdirSync(folder.path, { recursive: true });
  expect(() => folder.read("/p")).toThrow("can't be read");
  const locked = newPerson();
  mkdirSync(dirname(locked.path), { recursive: true });
  chmodSync(dirname(locked.path), 0o500);
  // Root may write anywhere.
  if (process.getuid?.() !== 0) expect(() => locked.keep("/p", allow("x"))).toThrow("can't be written");
  chmodSync(dirname(locked.path), 0o700);
});

test("several windows that keep rules at once lose none", async () => {
  const remembered = newPerson();
  const home = join(dirname(remembered.path), "../..");
  const program = `
    import { rememberedRules } from ${JSON.stringify(join(import.meta.dir, "remembered-rules.ts"))};
    const remembered = rememberedRules({ HOME: ${JSON.stringify(home)} });
    for (let at = 0; at < 50; at++)
      remembered.keep("/p", { verdict: "allow", text: process.argv.at(-1) + "-" + at });`;
  const windows = ["a", "b", "c"].map((name) => Bun.spawn([process.execPath, "-e", program, name]).exited);
  expect(await Promise.all(windows)).toEqual([0, 0, 0]);
  const { rules, problems } = remembered.read("/p");
  expect([rules.allow.length, problems]).toEqual([150, []]);
});
