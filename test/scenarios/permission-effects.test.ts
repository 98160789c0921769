// Commands that are known to delete, overwrite, rewrite history or publish are asked about in the sandbox too, however
// they are wrapped; and a rule for the beginning of a command covers no file outside the project, however it is named.
import { afterAll, describe, expect, test } from "bun:test";
import { createPermissionContext } from "../../src/app/permit.ts";
import type { Decision } from "../../src/domain/permission.ts";
import type { PermissionContext } from "../../src/permission/context.ts";
import { decide } from "../../src/permission/decide.ts";
import { createPermissionProject } from "../support/permission-project.ts";
import { type Random, seededRandom } from "../support/random.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const ROUNDS = LONG ? 200_000 : 1_500;
const SEED = LONG ? Date.now() : 1;

const project = createPermissionProject();
afterAll(project.close);

function contextWith(allow: readonly string[], sandbox: boolean): PermissionContext {
  const context = createPermissionContext({
    permission: { mode: "ask", rules: [{ source: "person", allow }], sandbox: "off" },
    cwd: project.root,
    trusted: false,
    env: { PATH: "/usr/bin:/bin", HOME: project.home },
  });
  return { ...context, sandbox };
}

function decision(command: string, context: PermissionContext): Decision {
  const demand = { type: "shell", command, folder: project.root, env: {} } as const;
  return decide({ toolName: "bash", demands: [demand] }, context);
}

/** Words before and after which options may stand: `|` marks those places. */
const EFFECTS = [
  "rm| a.txt|",
  "rm| src|",
  "rmdir| src|",
  "unlink| a.txt",
  "shred| a.txt|",
  "truncate| -s 0| a.txt",
  "cp| b.txt| a.txt",
  "mv| b.txt| a.txt|",
  "cp| b.txt| src/../a.txt",
  "ln| -f| b.txt a.txt",
  "tee| a.txt|",
  "dd| of=a.txt|",
  "sed| -i| s/a/b/ a.txt",
  "perl| -i| -pe s/a/b/ a.txt",
  "sort| a.txt| -o a.txt",
  "find .| -delete",
  "rsync| --delete| src/ new/",
  "rsync| src host:x|",
  "git| add| .",
  "git| commit| -m x|",
  "git| commit| --amend|",
  "git| reset| --hard|",
  "git| rebase| main",
  "git| clean| -fdx|",
  "git| checkout| -- a.txt",
  "git| restore| a.txt",
  "git| stash| drop",
  "git| branch| -D x|",
  "git| tag| -d x|",
  "git| push|",
  "git| update-ref| x y",
  "git| gc| --prune=now",
  "npm| publish|",
  "cargo| publish|",
  "twine| upload x|",
  "docker| push x|",
  "gh| pr create|",
  "kubectl| apply| -f x",
  "terraform| apply|",
  "aws| s3 rm x|",
  "ssh| host ls|",
  "scp| a.txt host:x|",
  "curl| -d x| http://x",
  "curl| -X POST| http://x|",
  "echo x > a.txt",
  "echo x >> a.txt",
  ": > a.txt",
  "echo x >| src/main.ts",
  "echo x &> a.txt",
];

const OPTIONS = ["-v", "-q", "--verbose", "--no-pager", "-x", "--color=never", "-f", "--quiet", "-n"];
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** These take a command as words, so one with a redirection is put into a shell first. */
const PREFIXES = [
  "sudo",
  "sudo -u bob",
  "sudo --odd value",
  "env",
  "env A=b",
  "env -i -u X",
  "/usr/bin/env",
  "nohup",
  "time",
  "time -p",
  "nice -n 5",
  "/usr/bin/nice",
  "timeout 5",
  "timeout -k 1 5",
  "stdbuf -o L",
  "setsid",
  "command",
  "exec",
  "busybox",
  "xargs",
  "xargs -0 -n 1",
  "ls | xargs -I{}",
  "strace -f -o new.log",
  "flock new.lock",
  "npx",
  "ionice -c 3",
  "doas",
  "some-runner --odd",
  "docker exec box",
];
const AROUND: readonly ((command: string) => string)[] = [
  (command) => `sh -c ${quoted(command)}`,
  (command) => `bash -lc ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `trap ${quoted(command)} EXIT`,
  (command) => `env -S ${quoted(command)}`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `! ${command}`,
  (command) => `${command} &`,
  (command) => `echo $( ${command})`,
  (command) => `cat <(${command})`,
  (command) => `echo "\`${command}\`"`,
  (command) => `if true; then ${command}; fi`,
  (command) => `while false; do ${command}; done`,
  (command) => `for f in a b; do ${command}; done`,
  (command) => `case x in x) ${command};; esac`,
  (command) => `echo x | ${command}`,
  (command) => `${command} | cat`,
  (command) => `npm test && ${command}`,
  (command) => `npm test; ${command} || true`,
  (command) => `cd src/.. && ${command}`,
  (command) => `bash <<'END'\n${command}\nEND`,
];

function effectCommand(random: Random): string {
  let command = random
    .pick(EFFECTS)
    .replace(/\|/g, (mark, at: number, whole: string) =>
      whole[at - 1] === ">" ? mark : random.below(4) === 0 ? ` ${random.pick(OPTIONS)}` : "",
    );
  for (let depth = random.below(4); depth > 0; depth--) {
    const isPlain = /^[\w ./:=+-]+$/.test(command);
    if (random.below(2) === 0 && isPlain) command = `${random.pick(PREFIXES)} ${command}`;
    else command = random.pick(AROUND)(command);
  }
  return command;
}

describe("inside the sandbox", () => {
  const context = contextWith([], true);

  test("nothing that is known to do harm runs unasked", () => {
    const random = seededRandom(SEED);
    const unasked: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const command = effectCommand(random);
      if (decision(command, context).decision === "allow") unasked.push(command);
    }
    console.log(`${ROUNDS} commands with a known effect, ${unasked.length} unasked`);
    expect({ seed: SEED, unasked: unasked.slice(0, 20) }).toEqual({ seed: SEED, unasked: [] });
  }, 600_000);

  test("tests, builds and what they may be wrapped in run without a question", () => {
    const free = [
      "npm test",
      "make -j4",
      "cargo build",
      "go test ./...",
      "python3 x.py",
      "timeout 60 npm test",
    ];
    for (const command of [...free, "npm test 2>&1 | tail -5", "npm ci && npm run build", "make > new.log"])
      expect({ command, ...decision(command, context) }).toMatchObject({
        decision: "allow",
        sandboxed: true,
      });
  });
});

describe("a rule for the beginning of a command", () => {
  const BEGINNINGS = ["git commit", "git add", "npm test", "cargo test", "go test", "make"];
  const context = contextWith(
    BEGINNINGS.map((words) => `bash(${words}:*)`),
    false,
  );
  const OUTSIDE = [
    `${project.home}/.ssh/id_rsa`,
    "/etc/passwd",
    "../home/notes.txt",
    "src/../../home/notes.txt",
    "link-out",
    "link-home/notes.txt",
    ".env",
    "certs/server.key",
    ".git/config",
    ".git/hooks/pre-commit",
    ".vscode/tasks.json",
    "~/notes.txt",
    "'~/notes.txt'",
    "loop",
  ];
  const FORMS = [
    "P",
    "-F P",
    "-FP",
    "-vFP",
    "--file=P",
    "--file P",
    "--template=P",
    "-- P",
    "-DX=P",
    "key:P",
    "--opt=key:P",
    "@P",
    "-d@P",
    "a,P",
    "--files=a,P",
    "X=P",
  ];
  const PROGRAMS = [
    "-exec ./x",
    "--exec=./x",
    "--config=x.js",
    "--config x.js",
    "--upload-pack=./x",
    "--upload-p=./x",
    "--exe ./x",
    "--test-config=x",
    "--receive-pack ./x",
    "-toolexec ./x",
    "--script-shell=./x",
    "--require ./x.js",
    "$(echo x)",
    "$X",
    '"$(cat a.txt)"',
  ];
  const ORDINARY = [
    "-v",
    "-m message",
    "-m 'fix: a and b, see c'",
    "src",
    "--all",
    "-run TestX",
    "a.txt",
    "-j4",
  ];

  test("covers no other file and no program", () => {
    const random = seededRandom(SEED);
    const covered: string[] = [];
    for (let round = 0; round < ROUNDS / 4; round++) {
      const odd =
        random.below(4) === 0
          ? random.pick(PROGRAMS)
          : random.pick(FORMS).replace("P", () => random.pick(OUTSIDE));
      const words = [random.pick(ORDINARY), odd, random.pick(ORDINARY)].slice(
        random.below(2),
        2 + random.below(2),
      );
      const command = `${random.pick(BEGINNINGS)} ${words.join(" ")}`;
      if (decision(command, context).decision === "allow") covered.push(command);
    }
    expect({ seed: SEED, covered: covered.slice(0, 20) }).toEqual({ seed: SEED, covered: [] });
  }, 600_000);

  test("covers ordinary words, also a message that is written as a here-document", () => {
    for (const beginning of BEGINNINGS)
      for (const words of ORDINARY)
        expect({ words, ...decision(`${beginning} ${words}`, context) }).toMatchObject({ decision: "allow" });
    const message = "git commit -m \"$(cat <<'END'\nfix: it's /done\n\n- see https://x\nEND\n)\"";
    expect(decision(message, context)).toMatchObject({ decision: "allow" });
    expect(decision("git commit -c core.editor=x", context).reason).toContain(
      "The rule bash(git commit:*) (your configuration) doesn't cover -c",
    );
  });
});
