// The built binary with a working sandbox, and nobody there to be asked: what is known to delete, overwrite, rewrite or
// publish does not run, what is not known runs inside, and a folder that goes away never means outside.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../support/permission-project.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { whyNoSandbox } from "../support/sandbox-ground.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

let lab: CliLab;
const there = (path: string) => existsSync(join(lab.folder, path));

beforeAll(async () => {
  lab = await openCliLab();
  for (const [path, text] of Object.entries({
    "src/a.ts": "a\n",
    "b.txt": "b\n",
    "kept.txt": "CANARY-kept\n",
    "ns.py": "import os; open('made-by-python', 'w').write(os.readlink('/proc/self/ns/user'))\n",
  })) {
    mkdirSync(join(lab.folder, path, ".."), { recursive: true });
    writeFileSync(join(lab.folder, path), text);
  }
  git(lab.folder, "init", "-q", "-b", "main");
  git(lab.folder, "add", "src", "b.txt");
  git(lab.folder, "commit", "-q", "-m", "first");
  writeFileSync(join(lab.folder, "b.txt"), "changed\n");
}, 120_000);
afterAll(() => lab.close());

/** What the model reads. */
async function run(commands: readonly (string | object)[], flags: readonly string[] = []): Promise<string> {
  const calls = commands.map((command) =>
    call("bash", typeof command === "string" ? { command } : { ...command }),
  );
  lab.script([...calls.map((each) => answer(each)), answer("Done.")]);
  const { stdout, stderr } = await lab.run(["run", "--sandbox", "on", "--no-session", ...flags, "go"]);
  expect({ stdout, stderr: stdout === "Done.\n" ? "" : stderr }).toEqual({ stdout: "Done.\n", stderr: "" });
  return lab.server.requests.at(-1)?.text ?? "";
}

describe.skipIf(whyNoSandbox !== null)("with a sandbox", () => {
  test.each(["ask", "auto-edit"])(
    "in mode %s nothing is deleted, overwritten or rewritten unasked",
    async (mode) => {
      const read = await run(
        [
          "rm -rf src",
          "rm -rf .git",
          "git reset --hard",
          "git clean -fdx",
          "git commit -am x",
          "echo x > b.txt",
          "sh -c 'find . -name a.ts -exec rm {} +'",
          "ls src/* | xargs rm",
          "mv src/a.ts b.txt",
        ],
        ["--permission", mode],
      );
      expect(read.match(/needs a person's yes/g)?.length).toBe(9);
      expect([there("src/a.ts"), there(".git/HEAD"), there("kept.txt")]).toEqual([true, true, true]);
      expect(readFileSync(join(lab.folder, "b.txt"), "utf8")).toBe("changed\n");
    },
    60_000,
  );

  test("programs whose writes are not known run inside", async () => {
    const read = await run(["python3 ns.py", "echo new > new.txt"]);
    expect(read).not.toContain("needs a person's yes");
    expect(there("new.txt")).toBe(true);
    const own = spawnSync("readlink", ["/proc/self/ns/user"], { encoding: "utf8" }).stdout.trim();
    expect(readFileSync(join(lab.folder, "made-by-python"), "utf8")).not.toBe(own);
  }, 60_000);

  test("a folder that goes away between calls, or while it is the working directory, never means outside", async () => {
    const gone = "import os; os.rmdir('gone')";
    await run([
      "mkdir -p gone && cd gone",
      { command: `python3 -c "${gone}"`, cwd: lab.folder },
      "cat ../x; python3 ns.py",
      "mkdir -p gone && cd gone && rmdir ../gone; python3 ../ns.py",
      `mkdir -p gone; cd gone; python3 -c "import os; os.rmdir('../gone')"; touch made; python3 ${lab.folder}/ns.py`,
      "python3 ns.py",
    ]);
    const own = spawnSync("readlink", ["/proc/self/ns/user"], { encoding: "utf8" }).stdout.trim();
    expect(readFileSync(join(lab.folder, "made-by-python"), "utf8")).not.toBe(own);
  }, 60_000);

  test("permit says where a command would run, also after a yes", async () => {
    const where = async (command: string) => {
      const { stdout } = await lab.run(["permit", "--sandbox", "on", command]);
      return stdout.split("\n").map((line) => line.trim());
    };
    expect(await where("npm test")).toContain("It would run inside the sandbox.");
    expect(await where("rm -rf src")).toContain("After a yes it would run inside the sandbox.");
    expect(await where("git commit -m x")).toContain("After a yes it would run outside the sandbox.");
  });
});
