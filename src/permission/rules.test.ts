import { expect, test } from "bun:test";
import { VOCABULARY } from "../../test/support/asked-call.ts";
import { parseRules } from "./rules.ts";

test.each([
  ["bash", "any command"],
  ["bash(npm test)", "npm|test"],
  ["bash(git push:*)", "git|push ..."],
  ["bash(git push *)", "git|push ..."],
  ["bash(git commit -m 'a (b) c')", "git|commit|-m|a (b) c"],
  ["  bash( ls )  ", "ls"],
])("%s means %s", (text, meaning) => {
  const [rule] = parseRules([text], "allow", "person", VOCABULARY).rules;
  const subject = rule?.subject.type === "command" ? rule.subject : null;
  const words = subject?.words.join("|") || "any command";
  expect(subject?.open === true && words !== "any command" ? `${words} ...` : words).toBe(meaning);
});

test.each([
  ["", "begin with the name of a tool"],
  ["(x)", "begin with the name of a tool"],
  ["bash()", "there is nothing between"],
  ["bash(ls", "TOOL or TOOL(PATTERN)"],
  ["bash(ls) extra", "TOOL or TOOL(PATTERN)"],
  ["bash(:*)", "write plain bash"],
  ["bash(*)", "name can't contain a *"],
  ["bash(*rm x)", "name can't contain a *"],
  ["bash(echo 'x)", "quote isn't closed"],
  ["bash(l\u200bs)", "invisible character"],
  ["bash(ls\u0007)", "control"],
  ["web_fetch(https://example.com)", "name a host"],
  ["web_fetch(example.com:80)", "name a host"],
  ["submit(x)", "takes no pattern"],
  ["connect", "write connect(HOST)"],
  ["connect(https://x)", "name a host"],
  ["Bash(git push)", "the tool is called bash"],
  ["Bash", "the tool is called bash"],
  ["Read(.env)", "the tool is called read"],
  ["git push", "begin with the name of a tool"],
])("%j is refused: %s", (text, problem) => {
  const { rules, problems } = parseRules([text], "deny", "project", VOCABULARY);
  expect(rules).toEqual([]);
  expect(problems.join()).toContain(problem);
});

test("every bad rule is reported, and the good ones are kept", () => {
  const { rules, problems } = parseRules(["bash(ls)", "bash(", "nope()"], "allow", "person", VOCABULARY);
  expect(rules.map((rule) => rule.text)).toEqual(["bash(ls)"]);
  expect(problems).toHaveLength(2);
});

test("hostile rules, long or many, are read quickly", () => {
  const count = 300_000;
  const shapes = [
    `bash(${"a ".repeat(count)})`,
    `bash(${"'a'".repeat(count)})`,
    `bash(a${" *".repeat(count)} x)`,
    `bash(a *${" ".repeat(count)}x)`,
    `bash(a${":*".repeat(count)}x)`,
    `bash(${"(".repeat(count)}`,
    `${"a".repeat(count)})`,
    `web_fetch(${"a-".repeat(count)})`,
    `write(${"**/".repeat(count)}x)`,
  ];
  const many = Array.from({ length: 10_000 }, (_, index) => `bash(npm run task-${index} -- 'a b')`);
  const before = performance.now();
  const { problems } = parseRules([...shapes, ...many], "deny", "project", VOCABULARY);
  expect(performance.now() - before).toBeLessThan(5_000);
  for (const problem of problems) expect(problem.length).toBeLessThan(500);
});

test("a rule may be about a host that commands in the sandbox reach", () => {
  const { rules, problems } = parseRules(["connect(*.example.com)"], "allow", "person", VOCABULARY);
  expect(problems).toEqual([]);
  expect(rules[0]?.subject).toEqual({ type: "host", tool: "connect", host: "example.com", subdomains: true });
});
