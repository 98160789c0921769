// The built binary with a working sandbox: files that rules name and folders that a person adds, whatever program a
// command starts. Nobody is there to be asked.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "../support/permission-project.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { whyNoSandbox } from "../support/sandbox-ground.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

const SECRET = "CANARY-of-a-rule";
const RULES = ["read(kept.txt)", "read(secrets/**)", "write(locked/**)"];
const TRIES = `
import os, shutil, subprocess
def tries(what, work):
    try: print(what, work())
    except Exception as error: print(what, type(error).__name__)
def write(path, how="w"):
    with open(path, how) as file: file.write("overwritten")
    return "WRITTEN"
def renamed(one, other, inside):
    os.rename(one, other)
    return open(os.path.join(other, inside)).read()
if not os.path.islink("link"): os.symlink("kept.txt", "link")
READ = ["kept.txt", "./secrets/../kept.txt", "secrets/key.txt", "secrets/deep/key.txt", "link",
    "/proc/self/root" + os.path.abspath("kept.txt"), "locked/a.txt", "open.txt"]
for path in READ: tries("read " + path, lambda: open(path).read().strip())
for path in ["kept.txt", "locked/a.txt", "locked/new.txt", "secrets/new.txt"]: tries("write " + path, lambda: write(path))
tries("append", lambda: write("locked/a.txt", "a"))
tries("list", lambda: os.listdir("secrets"))
tries("hard link", lambda: os.link("kept.txt", "linked") or open("linked").read())
tries("rename", lambda: renamed("secrets", "taken", "key.txt"))
tries("rename above", lambda: renamed("above", "beside", "inner/key.txt"))
tries("rename locked", lambda: os.rename("locked", "unlocked") or write("unlocked/a.txt"))
tries("remove", lambda: os.remove("locked/a.txt"))
tries("replace", lambda: os.replace("open.txt", "locked/a.txt"))
tries("copy", lambda: shutil.copy("kept.txt", "copied"))
tries("chmod", lambda: os.chmod("locked/a.txt", 0o777) or write("locked/a.txt"))
SHELL = ["cat kept.txt secrets/key.txt", "perl -pe 1 kept.txt", "perl -i -pe 's/a/b/' locked/a.txt",
    "unshare -rm sh -c 'umount kept.txt; cat kept.txt; umount secrets; cat secrets/key.txt'",
    "git add -f kept.txt && git show :kept.txt", "tar c --exclude=.git --exclude=tries.py . | tar xO"]
for line in SHELL: print(subprocess.run(["sh", "-c", line], capture_output=True, text=True, errors="replace").stdout)
`;

let lab: CliLab;
let added: string;

beforeAll(async () => {
  if (whyNoSandbox !== null) return;
  lab = await openCliLab();
  added = join(lab.home, "added");
  const secret = `${SECRET}\n`;
  put(lab.folder, {
    "kept.txt": secret,
    "secrets/key.txt": secret,
    "secrets/deep/key.txt": secret,
    "above/inner/key.txt": secret,
    "locked/a.txt": "locked\n",
    "open.txt": "open\n",
    "tries.py": TRIES,
  });
  put(added, { "plain.txt": "plain\n", ".vscode/tasks.json": "{}", ".env": secret });
  for (const folder of [lab.folder, added]) git(folder, "init", "-q", "-b", "main");
}, 120_000);
afterAll(() => lab?.close());

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What the model reads of each command. */
async function run(commands: readonly string[], flags: readonly string[]): Promise<readonly string[]> {
  lab.script([...commands.map((command) => answer(call("bash", { command }))), answer("Done.")]);
  const args = ["run", "--sandbox", "on", "--no-session", "--output", "json", ...flags, "go"];
  const { stdout } = await lab.run(args);
  const { messages, output } = JSON.parse(stdout);
  expect(output).toBe("Done.");
  return messages
    .flatMap(({ parts }: { parts: { part_kind: string; content: string }[] }) => parts)
    .filter((part: { part_kind: string }) => part.part_kind === "tool-return")
    .map(({ content }: { content: string }) => content);
}

function expectHeld(read: string): void {
  const lines = read.split("\n");
  expect(lines).toContain("read open.txt open");
  expect(lines).toContain("read locked/a.txt locked");
  expect(read).not.toContain(SECRET);
  expect(read).not.toContain("WRITTEN");
  expect(readFileSync(join(lab.folder, "locked/a.txt"), "utf8")).toBe("locked\n");
  expect(readdirSync(join(lab.folder, "locked"))).toEqual(["a.txt"]);
  for (const path of ["kept.txt", "secrets/key.txt", "secrets/deep/key.txt", "above/inner/key.txt"])
    expect(readFileSync(join(lab.folder, path), "utf8")).toBe(`${SECRET}\n`);
}

describe.skipIf(whyNoSandbox !== null)("in the sandbox", () => {
  const rules = [...RULES, "read(above/inner/**)"];

  test.each(["ask", "yolo"])(
    "no program gets at what deny rules name, in mode %s",
    async (mode) => {
      const flags = ["--permission", mode, ...rules.flatMap((rule) => ["--deny", rule])];
      const [read = ""] = await run(["python3 tries.py"], flags);
      expectHeld(read);
    },
    60_000,
  );

  test("nor at what ask rules name", async () => {
    put(lab.home, { ".config/tunacode.json": JSON.stringify({ permissions: { ask: rules } }) });
    const [read = ""] = await run(["python3 tries.py"], []);
    put(lab.home, { ".config/tunacode.json": "{}" });
    expectHeld(read);
  }, 60_000);

  test("where not all files of a rule can be found, commands are asked about", async () => {
    const names = Array.from({ length: 3_100 }, (_, index) => [`many/${index}.txt`, ""]);
    put(lab.folder, Object.fromEntries(names));
    const [read = ""] = await run(["python3 -c 'print(1 + 1)'"], ["--deny", "read(**/*.pem)"]);
    expect(read).toContain("needs a person's yes");
    expect(read).toContain("read(**/*.pem)");
  }, 60_000);

  test("an added folder can be written, what programs obey in it can't, and secrets in it can't be read", async () => {
    const work = [
      "echo new > ../added/new.txt; cat ../added/new.txt",
      "python3 -c \"open('../added/.vscode/tasks.json', 'w')\"",
      "python3 -c \"open('../added/.git/config', 'a')\"",
      "python3 -c \"print(open('../added/.env').read())\"",
      "python3 -c \"open('../added/.envrc', 'w').write('x')\"",
      "python3 -c \"open('../beside.txt', 'w')\"",
    ];
    const read = await run(work, ["--add-dir", added]);
    expect(read[0]).toStartWith("new\n");
    expect(read[1]).toContain("Read-only file system");
    expect(read[2]).toContain("Read-only file system");
    expect(read[3]).toStartWith("(no output)");
    expect(read[4]).toContain("which other programs obey, so it was moved out of the project");
    expect(read[5]).toContain("Read-only file system");
    expect(readdirSync(added).sort()).toEqual([".env", ".git", ".vscode", "new.txt", "plain.txt"]);
    expect(existsSync(join(lab.home, "beside.txt"))).toBe(false);
  }, 60_000);
});
