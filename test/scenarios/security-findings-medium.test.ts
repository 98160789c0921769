// The findings 10, 11, 12, 15 and 16 of a security review of 04fbb1f, replayed on the built binary, with the review's
// numbers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRipgrepPath } from "../../src/tools/ripgrep.ts";
import { type FindingsLab, openFindingsLab, PRIVATE_KEY, whyNoSandbox } from "../support/findings-lab.ts";
import { git } from "../support/permission-project.ts";
import { call } from "../support/strict-llm-server/turn.ts";

const noSandbox = whyNoSandbox();
if (noSandbox !== null) console.log(`skipped: nothing runs in a sandbox here (${noSandbox})`);
const OFF = ["--sandbox", "off"];
const TOKEN = "the-token-of-the-project";

let lab: FindingsLab;
let path = "";
beforeAll(async () => {
  lab = await openFindingsLab();
  path = `${dirname(await createRipgrepPath()())}:/usr/bin:/bin`;
}, 120_000);
afterAll(() => lab.close());

test("10: a link whose name isn't UTF-8 shows no private key", async () => {
  mkdirSync(join(lab.root, "odd"));
  const link = Buffer.concat([Buffer.from(join(lab.root, "odd/link")), Buffer.of(0xff)]);
  symlinkSync(join(lab.home, ".ssh/id_rsa"), link);
  const commands = ["cat odd/*", "cd odd && cat *", "grep -R '' odd", "grep -R '' .", "head -1 odd/l*"];
  const { returns } = await lab.model([["ls src", ...commands]], OFF);
  expect(returns).toHaveLength(commands.length + 1);
  expect(returns.filter((each) => each.includes(PRIVATE_KEY))).toEqual([]);
  rmSync(join(lab.root, "odd"), { recursive: true });
});

test("11: neither options nor a project's file make a search show a secret", async () => {
  const { returns } = await lab.model(
    [
      [call("write_file", { filepath: ".ignore", content: "!.env\n" })],
      [
        "ls src",
        "grep -r --exclude=zzz --include='*.ts' '' .",
        "grep -r --include='*.ts' --exclude=zzz '' .",
        "rg TOKEN",
        "rg -n the-token",
        "rg --files-with-matches TOKEN . && rg TOKEN -g '*'",
        call("grep", { pattern: "TOKEN" }),
      ],
    ],
    ["--permission", "auto-edit", ...OFF],
    { PATH: path },
  );
  expect(returns).toHaveLength(8);
  expect(returns.filter((each) => each.includes(TOKEN))).toEqual([]);
  rmSync(join(lab.root, ".ignore"), { force: true });
});

describe("12: nothing tells a secret bit by bit", () => {
  test("no condition, choice or loop over a variable with a key", async () => {
    const commands = [
      "[[ $OPENAI_API_KEY == s* ]] && echo it-begins-so",
      "case $OPENAI_API_KEY in s*) echo it-begins-so;; esac",
      "for USER in $OPENAI_API_KEY; do echo $USER | rev; done",
      `for x in $OPENAI_API_KEY; do echo \${x#s}; done`,
      `echo \${#OPENAI_API_KEY}`,
      "[ $OPENAI_API_KEY '>' sj ] && echo it-begins-so",
    ];
    const { returns } = await lab.model([["ls src", ...commands]], OFF);
    for (const [index, command] of commands.entries())
      expect({ command, read: returns[index + 1] }).toEqual({
        command,
        read: expect.stringContaining("Not permitted."),
      });
  });

  test("a search says the same whether a secret file has a match or not", async () => {
    const [some = "", none = ""] = (
      await lab.model([[call("grep", { pattern: "TOKEN=the" }), call("grep", { pattern: "TOKEN=xyz" })]], OFF)
    ).returns;
    expect(some.replaceAll("TOKEN=the", "P")).toBe(none.replaceAll("TOKEN=xyz", "P"));
  });
});

describe("15: nothing freezes", () => {
  test("on names, folders, rules and pipes that were made to", async () => {
    lab.write(`project/${"a".repeat(250)}`, "");
    const deny = [`read(${"*a".repeat(30)}*b)`];
    lab.write("project/.tunacode.json", JSON.stringify({ permissions: { deny } }));
    git(lab.root, "init", "-q", "waiting");
    rmSync(join(lab.root, "waiting/.git/config"));
    execFileSync("mkfifo", [join(lab.root, "waiting/.git/config")]);
    const chain = Array.from({ length: 30 }, (_, index) => `cd ${index % 2 === 0 ? "src" : ".."}`);
    const told = await lab.model(
      [
        [
          "ls src",
          "ls *a*a*a*a*a*a*b",
          `ls ${"*a".repeat(40)}*b`,
          `${chain.join(" && ")} && ls`,
          `${chain.join("; ")}; ls *`,
          "git -C waiting status",
          `cat ${"*a".repeat(30)}`,
        ],
      ],
      OFF,
    );
    expect(told.returns).toHaveLength(7);
    expect(told.seconds).toBeLessThan(15);
    for (const name of [".tunacode.json", "waiting", "a".repeat(250)])
      rmSync(join(lab.root, name), { recursive: true });
  }, 60_000);

  test.skipIf(noSandbox !== null)(
    "if a command in the sandbox puts a pipe or a device where its folder is told",
    async () => {
      const temporary = mkdtempSync(join(tmpdir(), "tunacode-find-"));
      const put = (make: string) =>
        call("bash", {
          command: `python3 -c 'import glob, os\nfor d in glob.glob("${temporary}/tunacode-bash-*"):\n  ${make}'`,
          timeout: 3,
        });
      const told = await lab.model(
        [
          [
            put('os.mkfifo(d + "/cwd")'),
            put('os.symlink("/dev/zero", d + "/cwd")'),
            "python3 -c 'print(6*7)'",
          ],
        ],
        [],
        { TMPDIR: temporary },
      );
      rmSync(temporary, { recursive: true });
      expect(told.returns.at(-1)).toContain("42");
      expect(told.seconds).toBeLessThan(20);
    },
    60_000,
  );
});

describe("16: rules", () => {
  test("a rule that denies reading a file binds git, too", async () => {
    writeFileSync(join(lab.root, "secret.txt"), "told-by-git and-more\n");
    const { returns } = await lab.model(
      [
        [
          "git log --oneline",
          "git grep told",
          "git diff",
          "git diff HEAD -- .",
          "git log -p",
          "git show",
          "git show HEAD:secret.txt",
          "git blame secret.txt",
          "git stash show -p",
          "git cat-file -p HEAD:secret.txt",
          "git log -p --format=%h -- secret.txt",
        ],
      ],
      ["--deny", "read(secret.txt)", ...OFF],
    );
    expect(returns).toHaveLength(11);
    expect(returns.map((each) => each.includes("told-by-git"))).not.toContain(true);
    git(lab.root, "checkout", "-q", "secret.txt");
  });

  test("a rule for a prefix brings no file from outside into the project", async () => {
    const key = join(lab.home, ".ssh/id_rsa");
    const { returns, code } = await lab.model(
      [
        [
          `git commit --allow-empty -F ${key}`,
          `git commit --allow-empty --file=${key}`,
          "git commit --allow-empty -m mine",
        ],
      ],
      ["--allow", "bash(git commit:*)", ...OFF],
      { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" },
    );
    expect(returns[0]).toContain("Not permitted.");
    expect(returns[1]).toContain("Not permitted.");
    expect(returns[2]).toContain("[Exit code 0");
    expect(code).toBe(6);
    const log = execFileSync("git", ["log", "--format=%B"], { cwd: lab.root, encoding: "utf8" });
    expect(log).not.toContain(PRIVATE_KEY);
  });
});
