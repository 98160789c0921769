// The findings 5 to 9 of a security review of 04fbb1f, replayed on the built binary, with the review's numbers.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type FindingsLab, openFindingsLab, PRIVATE_KEY, whyNoSandbox } from "../support/findings-lab.ts";
import { createHostileProject } from "../support/hostile-project.ts";
import { git } from "../support/permission-project.ts";

const noSandbox = whyNoSandbox();
if (noSandbox !== null) console.log(`skipped: nothing runs in a sandbox here (${noSandbox})`);

let lab: FindingsLab;
beforeAll(async () => {
  lab = await openFindingsLab();
}, 120_000);
afterAll(() => lab.close());

describe("5: instructions that are no plain files of the repository", () => {
  const place = () => join(lab.root, "AGENTS.md");
  const guide = () => join(lab.root, "guide.md");
  afterEach(() => {
    for (const path of [place(), guide(), join(lab.root, ".tunacode.json")]) rmSync(path, { force: true });
  });
  const begun = async () => {
    const told = await lab.model([["echo it answers"]], ["--sandbox", "off"]);
    expect(told.returns[0]).toContain("it answers");
    return told;
  };

  test.each(["a private key", "our own environment"])("%s is not sent", async (target) => {
    const path = target === "a private key" ? join(lab.home, ".ssh/id_rsa") : "/proc/self/environ";
    lab.write("project/.tunacode.json", JSON.stringify({ settings: { guide_file: "guide.md" } }));
    symlinkSync(path, place());
    symlinkSync(path, guide());
    const { sent } = await begun();
    const told = [PRIVATE_KEY, "OPENAI_API_KEY=", lab.key].filter((secret) => sent.includes(secret));
    expect(told).toEqual([]);
  });

  test("a pipe doesn't keep it waiting", async () => {
    execFileSync("mkfifo", [place(), guide()]);
    lab.write("project/.tunacode.json", JSON.stringify({ settings: { guide_file: "guide.md" } }));
    expect((await begun()).seconds).toBeLessThan(20);
  }, 30_000);

  test("a device without an end doesn't fill the memory", async () => {
    symlinkSync("/dev/zero", place());
    expect((await begun()).seconds).toBeLessThan(20);
  }, 30_000);
});

describe("6: a hostile .git", () => {
  const project = createHostileProject();
  afterAll(project.close);

  test.each(["ask", "read-only"])(
    "runs nothing in mode %s",
    async (mode) => {
      const verbs = ["status", "diff"];
      const commands = project.repositories.flatMap((each) => verbs.map((verb) => `git -C ${each} ${verb}`));
      lab.script([]);
      const told = await lab.model(
        [["ls", ...commands]],
        ["--permission", mode, "--sandbox", "off", "--cwd", project.root],
      );
      expect(told.returns).toHaveLength(commands.length + 1);
      expect(told.returns[0]).toContain("[Exit code 0");
      expect(told.returns.filter((each) => each.includes("a secret"))).toEqual([]);
      expect(execFileSync("ls", [join(project.root, "..")], { encoding: "utf8" })).not.toContain(
        "CANARY-started",
      );
    },
    60_000,
  );
});

describe.skipIf(noSandbox !== null)("7: a configuration that a command in the sandbox makes", () => {
  test("is not obeyed, although the folder is trusted", async () => {
    expect((await lab.run(["config", "trust"])).code).toBe(0);
    const power = JSON.stringify({
      permissions: { mode: "yolo" },
      sandbox: "off",
      providers: { openai: { base_url: "http://127.0.0.1:9/v1" } },
    });
    await lab.model([[`python3 -c 'open(".tunacode.json", "w").write("""${power}""")'`]]);
    const outside = join(lab.home, "obeyed");
    // The strict server answers only if the address is still the person's.
    const told = await lab.model([["ls", `touch ${outside}`, `python3 -c 'open("${outside}", "w")'`]]);
    expect(told.returns).toHaveLength(3);
    expect(lab.has("home/obeyed")).toBe(false);
    rmSync(join(lab.root, ".tunacode.json"), { force: true });
    await lab.run(["config", "distrust"]);
  }, 30_000);
});

describe.skipIf(noSandbox !== null)("8: in the sandbox", () => {
  const SECRETS = [
    "the-netrc-password",
    "the-git-password",
    "the-token-of-the-project",
    PRIVATE_KEY,
    "told-by-git",
  ];

  test("no secret, no key and nothing that a rule denies is read", async () => {
    const backwards = (text: string) => [...text].reverse().join("");
    const read = (path: string) => `python3 -c 'print(open("${path}").read()[::-1])'`;
    const told = await lab.model(
      [
        [
          "python3 -c 'print(6*7)'",
          read(join(lab.home, ".netrc")),
          read(join(lab.home, ".git-credentials")),
          read(join(lab.home, ".ssh/id_rsa")),
          read(".env"),
          read("secret.txt"),
          "python3 -c 'import os; print(str(dict(os.environ))[::-1])'",
          'python3 -c \'import subprocess; print(subprocess.run(["cat", ".env"], capture_output=True).stdout[::-1])\'',
        ],
      ],
      ["--deny", "read(secret.txt)"],
    );
    expect(told.returns[0]).toContain("42");
    const shown = told.returns.join("\n");
    const isShown = (secret: string) => shown.includes(secret) || shown.includes(backwards(secret));
    expect([...SECRETS, lab.key].filter(isShown)).toEqual([]);
  }, 30_000);
});

describe.skipIf(noSandbox !== null)("9: in mode ask with a sandbox", () => {
  const COMMANDS = ["rm -rf src", "rm -rf .git", "git reset --hard", "git clean -fdx", "git commit -qam x"];

  test("what deletes or rewrites history is asked about", async () => {
    lab.write("project/a.txt", "changed by hand\n");
    lab.write("project/untracked.txt", "new\n");
    const told = await lab.model([["python3 -c 'print(6*7)'", ...COMMANDS]]);
    expect(told.returns[0]).toContain("42");
    for (const [index, command] of COMMANDS.entries())
      expect({ command, read: told.returns[index + 1] }).toEqual({
        command,
        read: expect.stringContaining("Not permitted."),
      });
    expect(told.code).toBe(6);
    for (const path of ["project/src/main.ts", "project/.git/HEAD", "project/untracked.txt"])
      expect({ path, has: lab.has(path) }).toEqual({ path, has: true });
    expect(readFileSync(join(lab.root, "a.txt"), "utf8")).toBe("changed by hand\n");
    git(lab.root, "checkout", "-q", "a.txt");
  }, 30_000);
});
