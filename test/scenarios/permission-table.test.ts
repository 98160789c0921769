// The table of modes in docs/permissions.md, row by row, as the built binary decides: `permit --output json`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../support/permission-project.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";

const MODES = ["ask", "auto-edit", "read-only", "yolo", "auto"] as const;

/** command -> decisions in the order of the modes, without and with the sandbox; + where a model may answer. */
const ROWS: Readonly<Record<string, readonly [string, string]>> = {
  "cat src/a.ts": ["allow allow allow allow allow", "allow allow allow allow allow"],
  "git status": ["allow allow allow allow allow", "allow allow allow allow allow"],
  "cat /etc/passwd": ["ask ask ask allow ask", "ask ask ask allow ask"],
  "cat .env": ["ask ask ask allow ask", "ask ask ask allow ask"],
  "cat ~/.ssh/id_rsa": ["ask ask ask allow ask", "ask ask ask allow ask"],
  "echo x > src/a.ts": ["ask ask deny allow ask+", "ask allow deny allow ask+"],
  "echo x > /etc/motd": ["ask ask deny allow ask", "ask ask deny allow ask"],
  "echo x > .git/config": ["ask ask deny allow ask", "ask ask deny allow ask"],
  "echo x > .vscode/tasks.json": ["ask ask deny allow ask", "ask ask deny allow ask"],
  "npm test": ["ask ask deny allow ask+", "allow allow deny allow allow"],
  make: ["ask ask deny allow ask+", "allow allow deny allow allow"],
  "python3 x.py": ["ask ask deny allow ask+", "allow allow deny allow allow"],
  "rm src/a.ts": ["ask ask deny allow ask+", "ask allow deny allow ask+"],
  "rm -r node_modules": ["ask ask deny allow ask", "ask ask deny allow ask"],
  "git commit -m x": ["ask ask deny allow ask", "ask ask deny allow ask"],
  "git push": ["ask ask deny allow ask", "ask ask deny allow ask"],
  "git reset --hard HEAD~1": ["ask ask deny allow ask", "ask ask deny allow ask"],
  "npm publish": ["ask ask deny allow ask", "ask ask deny allow ask"],
};

let lab: CliLab;

beforeAll(async () => {
  lab = await openCliLab();
  const files = { "src/a.ts": "a\n", ".env": "A=b\n", "x.py": "", "node_modules/x.js": "" };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(lab.folder, path, ".."), { recursive: true });
    writeFileSync(join(lab.folder, path), text);
  }
  git(lab.folder, "init", "-q", "-b", "main");
}, 120_000);
afterAll(() => lab.close());

interface Answer {
  readonly command: string;
  readonly decision: string;
  readonly reason: string;
  readonly rule: string | null;
  readonly sandboxed: boolean;
  readonly commands: readonly string[];
  readonly reviewable?: true;
}

async function permit(...flags: readonly string[]): Promise<readonly Answer[]> {
  const stdin = Object.keys(ROWS).join("\n");
  const { code, stdout } = await lab.run(["permit", "--output", "json", ...flags, "-"], { stdin });
  expect(code).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line): Answer => JSON.parse(line));
}

describe.each([
  ["without", "off", 0],
  ["with", "on", 1],
] as const)("%s the sandbox", (_, sandbox, column) => {
  test.each(MODES)("%s", async (mode) => {
    const answers = await permit("--permission", mode, "--sandbox", sandbox);
    const decided = answers.map(({ command, decision, reviewable }) => [
      command,
      `${decision}${reviewable === true ? "+" : ""}`,
    ]);
    const wanted = Object.entries(ROWS).map(([command, row]) => [
      command,
      row[column].split(" ")[MODES.indexOf(mode)] ?? "",
    ]);
    expect(decided).toEqual(wanted);
    for (const answer of answers) {
      expect(answer.reason).toEndWith(".");
      expect(answer.commands).toHaveLength(1);
      if (sandbox === "off") expect(answer.sandboxed).toBe(false);
    }
  });
});

test("a rule is named, and holds in every mode", async () => {
  for (const mode of MODES) {
    const answers = await permit("--permission", mode, "--sandbox", "on", "--deny", "bash(npm test)");
    const denied = answers.find(({ command }) => command === "npm test");
    expect(denied).toMatchObject({ decision: "deny", rule: "bash(npm test)" });
  }
});
