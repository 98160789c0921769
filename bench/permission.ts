// How long a decision about a shell command takes: everyday commands in a small project, and what is made to take long.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPermissionContext } from "../src/app/permit.ts";
import { decide } from "../src/permission/decide.ts";
import { git } from "../test/support/permission-project.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "permission";

const ROUNDS = 3;
const MEDIAN_LIMIT_MS = 1;
const LONGEST_LIMIT_MS = 100;
const LISTS = ["everyday-commands.txt", "everyday-commands-of-models.txt"];

const HOSTILE = [
  `cat ${"a.txt ".repeat(990)}`,
  `cat ${"d/".repeat(9_400)}a`,
  `${"cat | ".repeat(150)}cat`,
  "ls long/*; ".repeat(100),
  `cat long/${"*a".repeat(100)}b`,
  `cat ${`long/*${"a".repeat(120)}b `.repeat(20)}`,
  `echo ${"{a,b}".repeat(30)}`,
  `sed -n '/${"(a|b)*".repeat(900)}/p' a.txt`,
  "git status; ".repeat(50),
];

/** Rules that an untrusted project brings. */
const RULES = Array.from({ length: 1_500 }, (_, index) => `read(${"*a".repeat(12)}${index}*b)`);

export async function run(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), "tunacode-bench-"));
  try {
    plantProject(root);
    const everyday = everydayCommands();
    const times = everyday.flatMap((command) => samples(command, root, []));
    const { median: value, low, high } = spreadOf(times);
    const longest = (deny: readonly string[]) =>
      Math.max(...HOSTILE.map((command) => spreadOf(samples(command, root, deny)).median));
    return [
      {
        name: `${everyday.length} everyday commands, median`,
        value,
        low,
        high,
        unit: "ms",
        limit: MEDIAN_LIMIT_MS,
      },
      {
        name: `the longest of ${HOSTILE.length} hostile ones`,
        value: longest([]),
        unit: "ms",
        limit: LONGEST_LIMIT_MS,
      },
      {
        name: `the same with ${RULES.length} hostile rules`,
        value: longest(RULES),
        unit: "ms",
        limit: LONGEST_LIMIT_MS,
      },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function plantProject(root: string): void {
  mkdirSync(join(root, "long"));
  for (let index = 0; index < 400; index++)
    writeFileSync(join(root, "long", String(index).padStart(250, "a")), "");
  for (const file of ["a.txt", "package.json", "README.md"]) writeFileSync(join(root, file), "{}\n");
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/main.ts"), "one\n");
  git(root, "init", "-q");
}

function everydayCommands(): readonly string[] {
  return LISTS.flatMap((list) =>
    readFileSync(join(import.meta.dir, "../test/fixtures", list), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
}

function samples(command: string, root: string, deny: readonly string[]): readonly number[] {
  const context = createPermissionContext({
    permission: { mode: "ask", rules: [{ source: "project", deny }], sandbox: "off" },
    cwd: root,
    trusted: false,
    env: { HOME: root, PATH: "/usr/bin:/bin" },
  });
  const demand = { type: "shell", command, folder: root, env: {} } as const;
  return timesOf(() => decide({ toolName: "bash", demands: [demand] }, context));
}

/** Time of the processor, because a decision waits for nobody else. Without the first, which warms up. */
function timesOf(work: () => unknown): readonly number[] {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    if (round > 0) times.push((user + system) / 1_000);
  }
  return times;
}
