// Everyday work in the sandbox, on the built binary with its default settings and nobody there to be asked: what it
// guards must not get in the way, nor show a project that isn't there.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { git } from "../support/permission-project.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

/** Similar to how the sandbox starts it. Some containers forbid a new /proc. */
const BUBBLE = "--ro-bind / / --dev /dev --unshare-all --unshare-user --proc /proc true".split(" ");
const works = spawnSync("bwrap", BUBBLE).status === 0 && spawnSync("socat", ["-V"]).status === 0;
if (!works) console.log("skipped: work in the sandbox (bubblewrap and socat are needed)");

let lab: CliLab;
/** Of a temporary file that the machine doesn't have. */
let log: string;

const FILES = {
  "b.txt": "b\n",
  "fixture.pem": "not a real key\n",
  "settings.sh": "export SETTING=made\n",
  "run.sh": "echo ran $1\n",
};

beforeAll(async () => {
  lab = await openCliLab();
  log = `/tmp/${basename(lab.home)}.log`;
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(lab.folder, name), text);
  git(lab.folder, "init", "-q", "-b", "main");
  git(lab.folder, "config", "user.name", "Somebody");
  git(lab.folder, "add", ".");
  git(lab.folder, "commit", "-q", "-m", "first");
  writeFileSync(join(lab.folder, "b.txt"), "changed\n");
}, 120_000);
afterAll(() => lab.close());

interface ToolEnd {
  readonly type: string;
  readonly result: { readonly content: string };
}

/** What the model is told of each command. */
async function run(commands: readonly string[]): Promise<readonly string[]> {
  const calls = commands.map((command) => answer(call("bash", { command })));
  lab.script([...calls, answer("Done.")]);
  const { stdout } = await lab.run(["run", "--no-session", "--output", "stream-json", "go"]);
  const events = stdout.split("\n").filter((line) => line !== "");
  return events
    .map((line) => JSON.parse(line) as ToolEnd)
    .flatMap(({ type, result }) => (type === "tool-end" ? [result.content] : []));
}

test.skipIf(!works)(
  "nothing of this is asked about, and it works",
  async () => {
    const work: readonly (readonly [command: string, told: string])[] = [
      ["git status --short", " M b.txt\n[Exit code 0"],
      ["git diff --name-only | cat", "b.txt\n[Exit code 0"],
      ["git config user.name", "Somebody\n"],
      [`sh run.sh once > ${log} 2>&1; tail -1 ${log}`, "ran once\n"],
      [`grep -c ran ${log}`, "1\n"],
      [`rm ${log}; cat ${log}`, "No such file"],
      ["folder=$(mktemp -d); sh -c 'test -w \"$1\" && echo writable' - $folder", "writable\n"],
      ["sum=0; for i in 1 2 3; do sum=$((sum+i)); done; echo sum $sum", "sum 6\n"],
      ['twice() { sh run.sh "$1"; sh run.sh "$1"; }; twice x', "ran x\nran x\n"],
      [". ./settings.sh && sh -c 'echo $SETTING'", "made\n"],
      ["SETTING=own sh -c 'echo $SETTING'", "own\n"],
      ["bash -e run.sh again", "ran again\n"],
      ["sleep 60 & child=$!; kill $child; wait $child; echo status $?", "status 143\n"],
      [
        "socat TCP-LISTEN:8123 SYSTEM:'echo served' & sleep 0.5; socat - TCP:127.0.0.1:8123; wait",
        "served\n",
      ],
      ["head -c 5 /dev/urandom | wc -c", "5\n"],
      ["sh -c 'exit 42'", "[Exit code 42"],
      ["sh -c 'kill -TERM $$'", "[Exit code 143"],
    ];
    const told = await run(work.map(([command]) => command));
    const wrong = work.flatMap(([command, expected], index) =>
      told[index]?.includes(expected) === true ? [] : [`${command}: ${told[index]}`],
    );
    expect(wrong).toEqual([]);
    expect(existsSync(log)).toBe(false);
  },
  60_000,
);

test.skipIf(!works)(
  "a file of the machine's in a temporary folder can be run, and is not changed unasked",
  async () => {
    writeFileSync(log, "echo theirs\n");
    try {
      const [ran, changed, deleted] = await run([`sh ${log}`, `echo x > ${log}`, `rm ${log}`]);
      expect(ran).toContain("theirs\n");
      for (const each of [changed, deleted]) expect(each).toContain("needs a person's yes");
    } finally {
      rmSync(log, { force: true });
    }
  },
  60_000,
);
