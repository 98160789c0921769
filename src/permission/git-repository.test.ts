// What a repository's configuration may make git run, by git's own listing of it.
import { describe, expect, test } from "bun:test";
import { guardGit } from "./git-repository.ts";

/** `local core.bare=false` a line. */
function listing(...lines: readonly string[]): string {
  return lines
    .map((line) => {
      const [, scope, key, value] = /^(\w+) ([^=]+)(?:=(.*))?$/.exec(line) ?? [];
      return `${scope}\0${key}${value === undefined ? "" : `\n${value}`}\0`;
    })
    .join("");
}

const ORDINARY = [
  "command core.hookspath=/dev/null",
  "local core.bare=false",
  "local remote.origin.url=https://example.com/x.git",
  "local user.name=A",
];

function guardOf(...lines: readonly string[]) {
  const safety = guardGit(listing(...ORDINARY, ...lines));
  return safety.safe ? safety.guard : null;
}

describe("runs as it is", () => {
  test.each([
    ["with ordinary settings", []],
    [
      "with what is switched off anyway",
      ["local core.fsmonitor=./x", "local core.hookspath=h", "local core.pager=x"],
    ],
    ["with aliases, which can't replace a command", ["local alias.status=!touch x"]],
    ["with the person's own programs", ["global filter.lfs.clean=git-lfs clean", "system diff.external=x"]],
    ["with other files, whose keys are listed", ["local include.path=../x"]],
  ])("%s", (_, lines) => {
    expect(guardOf(...lines)).toEqual({ variables: {}, diffPrograms: false, submodules: false });
  });
});

describe("is switched off", () => {
  test.each<[string, string, string]>([
    ["local filter.x.clean=./x", "filter.x.clean", ""],
    ["worktree filter.A b.process=./x", "filter.A b.process", ""],
    ["local filter.x.required=true", "filter.x.required", "false"],
    ["local core.sshcommand=./x", "core.sshcommand", "false"],
    ["local core.excludesfile=/etc/shadow", "core.excludesfile", ""],
    ["local credential.https://a.b.helper=!x", "credential.https://a.b.helper", ""],
  ])("%s", (line, key, value) => {
    const variables = Object.values(guardOf(line)?.variables ?? {});
    expect(variables.some((each) => each.startsWith(key))).toBe(true);
    expect(variables).toContain(value);
  });

  test("in favour of the person's own", () => {
    const guard = guardOf("global filter.lfs.clean=git-lfs clean", "local filter.lfs.clean=./x");
    expect(Object.values(guard?.variables ?? {})).toEqual(["10", "filter.lfs.clean", "git-lfs clean"]);
  });

  test.each(["local diff.external=./x", "local diff.x.textconv=./x", "local diff.x.command=./x"])(
    "by options: %s",
    (line) => {
      expect(guardOf(line)?.diffPrograms).toBe(true);
    },
  );
});

describe("needs a question", () => {
  test.each([
    "local core.worktree=/",
    "local remote.o.promisor=true",
    "local format.pretty=%GK",
    "local pretty.x=%GK",
    "local lfs.extension.x.clean=./x",
    "local core.alternaterefscommand=./x",
    // git blame repeats the first line that it can't use.
    "local blame.ignorerevsfile=/etc/shadow",
    "unknown some.thing=1",
    "local filter.\ufffd.clean=./x",
  ])("%s", (line) => {
    expect(guardGit(listing(...ORDINARY, line)).safe).toBe(false);
  });

  test("what git can't list, or takes for no repository", () => {
    expect(guardGit(null).safe).toBe(false);
    expect(guardGit(listing("global user.name=A", "command core.hookspath=/dev/null")).safe).toBe(false);
  });

  test("a git that doesn't take settings from variables", () => {
    expect(guardGit(listing("local core.bare=false")).safe).toBe(false);
  });
});
