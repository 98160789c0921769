// Rules that somebody made so that comparing them takes long: of a project that nobody trusts, the deny rules count.
import { expect, test } from "bun:test";
import { decide } from "../../src/permission/decide.ts";
import type { DiskView } from "../../src/permission/disk.ts";
import { parseRules } from "../../src/permission/rules.ts";
import { askedCall, VOCABULARY } from "../support/asked-call.ts";
import { fakeDisk } from "../support/fake-disk.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const LONG_NAME = "a".repeat(250);
const DEEP = Array.from({ length: 100 }, () => "a").join("/");
const entries = Array.from({ length: 400 }, (_, index) => ({
  name: `${LONG_NAME.slice(index % 100)}${index}`,
  kind: "file" as const,
}));
const disk: DiskView = {
  ...fakeDisk({}),
  kindOf: (path) => (path === "/p" ? "folder" : null),
  listFolder: (path) => (/^\/p\/?$/.test(path) ? entries : null),
};

const RULES: Readonly<Record<string, readonly string[]>> = {
  "many stars in a name": [`read(${"*a".repeat(450)}*b)`, `write(${"*a".repeat(450)}*b)`],
  "many question marks": [`read(*${"?a".repeat(120)}*b)`],
  "many folders of any depth": [`read(${"**/a/".repeat(150)}b)`, `write(${"**/a*/".repeat(150)}b)`],
  "many words": [`bash(env ${"a ".repeat(450)}b)`, `bash(rm ${"*a*a*a ".repeat(130)}b)`],
  "many rules": Array.from({ length: 500 }, (_, index) => `read(**/x${index}/**/*${index}*)`),
  "many rules about commands": Array.from(
    { length: 500 },
    (_, index) => `bash(rm -x -y ${index} *a*b*c${index})`,
  ),
};
const COMMANDS: Readonly<Record<string, string>> = {
  "many words": `env ${"rm ".repeat(6_000)}`,
  "many options": `env ${"-a ".repeat(3_000)} ${"rm -x ".repeat(1_000)}`,
  "long words": `rm ${`${"a".repeat(250)} `.repeat(70)}`,
  "deep paths": `cat ${`${DEEP} `.repeat(90)}`,
  "all names": "cat *; ls *; make *",
  "a tree": "grep -r x .; diff -r . .; rg --hidden x",
  "many commands": "ls a; rm b; ".repeat(140),
  "no more than one": "make",
};

const context = (rules: readonly string[], sandbox: boolean) => {
  const parsed = parseRules(rules, "deny", "project", VOCABULARY);
  expect(parsed.problems).toEqual([]);
  const workspace = { root: "/p", cwd: "/p" };
  const rest = { vocabulary: VOCABULARY, home: "/home/me", trusted: false, disk, environment: {} };
  return { mode: "ask", rules: parsed.rules, workspace, sandbox, ...rest } as const;
};

test("no decision takes long, and none is lost", () => {
  let [longest, worst] = [0, ""];
  for (const [ruleName, rules] of Object.entries(RULES))
    for (const [commandName, command] of Object.entries(COMMANDS))
      for (const sandbox of LONG ? [false, true] : [true]) {
        const given = context(rules, sandbox);
        const call = askedCall({ toolName: "bash", args: { command } }, given);
        const before = process.cpuUsage();
        decide(call, given);
        const { user, system } = process.cpuUsage(before);
        const took = (user + system) / 1_000;
        if (took > longest) [longest, worst] = [took, `${ruleName}, ${commandName}`];
      }
  console.log(`the longest decision took ${longest.toFixed(0)} ms of the processor: ${worst}`);
  expect(longest).toBeLessThan(2_000);
}, 60_000);

test("a deny rule still finds its command among too many words", () => {
  const given = context(["bash(rm)"], true);
  const call = askedCall({ toolName: "bash", args: { command: `rm ${"x ".repeat(5_000)}` } }, given);
  expect(decide(call, given).decision).toBe("deny");
});

test("a rule that is too long is refused", () => {
  expect(parseRules([`read(${"a".repeat(2_000)})`], "deny", "project", VOCABULARY).problems).toHaveLength(1);
});

test("what takes too long is asked about even in yolo, if a rule may forbid it", () => {
  const command = "grep -r x .; ".repeat(100);
  for (const rules of [["read(nothing-like-it)"], ["write(nothing-like-it)"], ["bash(nothing)"]]) {
    const given = { ...context(rules, false), mode: "yolo" as const };
    const deep = { ...disk, listFolder: () => entries };
    expect(
      decide(askedCall({ toolName: "bash", args: { command } }, given), { ...given, disk: deep }).decision,
    ).toBe("ask");
  }
});
