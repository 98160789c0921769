// argv is parsed the way people write it, and an error names what would have worked.
import { expect, test } from "bun:test";
import { parseCommandLine } from "./parse-flags.ts";

const parse = (line: string): unknown[] => {
  const { command, flags, operands } = parseCommandLine(line === "" ? [] : line.split(" "));
  return [command, flags, ...operands];
};

test.each<[string, unknown[]]>([
  ["", ["app", {}]],
  ["fix it", ["app", {}, "fix", "it"]],
  ["-c", ["app", { continue: true }]],
  ["run hi", ["run", {}, "hi"]],
  ["run -m a:b hi", ["run", { model: "a:b" }, "hi"]],
  ["run -ma:b hi", ["run", { model: "a:b" }, "hi"]],
  ["run --model=a:b=c hi", ["run", { model: "a:b=c" }, "hi"]],
  ["run hi --quiet", ["run", { quiet: true }, "hi"]],
  ["run -- --quiet", ["run", {}, "--quiet"]],
  ["run -", ["run", {}, "-"]],
  ["run --max-cost 0.5 x", ["run", { "max-cost": 0.5 }, "x"]],
  ["run --allow bash(ls) --allow=write x", ["run", { allow: ["bash(ls)", "write"] }, "x"]],
  ["permit -0", ["permit", { nul: true }]],
  ["run run", ["run", {}, "run"]],
  ["-w", ["app", { worktree: "" }]],
  ["-w fix", ["app", { worktree: "fix" }]],
  ["run -w fix hi", ["run", { worktree: "fix" }, "hi"]],
  ["run -w=fix fix the bug", ["run", { worktree: "fix" }, "fix", "the", "bug"]],
  ["run --worktree=fix the bug", ["run", { worktree: "fix" }, "the", "bug"]],
  ["run fix the bug -w", ["run", { worktree: "" }, "fix", "the", "bug"]],
  ["run fix the bug -w x", ["run", { worktree: "x" }, "fix", "the", "bug"]],
  ["run -w --quiet hi", ["run", { worktree: "", quiet: true }, "hi"]],
  ["run -w -- fix the bug", ["run", { worktree: "" }, "fix", "the", "bug"]],
  ["run -w -", ["run", { worktree: "" }, "-"]],
  ["run --worktree what? now", ["run", { worktree: "" }, "what?", "now"]],
])("%j", (line, expected) => expect(parse(line)).toEqual(expected));

test.each([
  ["run --modle x", "Did you mean --model?"],
  ["run --nul x", '"--nul" is not a flag of run'],
  ["run -z x", '"-z" is not a flag of run'],
  ["run --model", "--model needs a value: P:M"],
  ["run --model --quiet x", "--model needs a value"],
  ["run --model= x", "--model can't be empty"],
  ["run --output xml x", "--output must be one of text, json, stream-json, not"],
  ["run --timeout soon x", "--timeout must be a number above 0"],
  ["run --timeout 0 x", "--timeout must be a number above 0"],
  ["run --timeout -1 x", "--timeout must be a number above 0"],
  ["run --max-iterations 1.5 x", "--max-iterations must be a whole number above 0"],
  ["run --quiet=1 x", "--quiet takes no value"],
  ["run -m a:b -m c:d x", "--model was given twice"],
  ["run -w fix the bug", "Is fix the value of --worktree or a word of the prompt?"],
  ["run --worktree= hi", "--worktree can't be empty"],
  ["sesions", "Did you mean sessions?"],
  ["confg --output-json", "Did you mean config?"],
])("%j: %s", (line, problem) => {
  expect(() => parse(line)).toThrow(problem);
  expect(() => parse(line)).toThrow("Try: tunacode");
});

test("a prompt in quotes after --worktree is no name", () => {
  expect(parseCommandLine(["run", "-w", "fix the bug"])).toEqual({
    command: "run",
    flags: { worktree: "" },
    operands: ["fix the bug"],
  });
});
