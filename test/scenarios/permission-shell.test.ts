// Which shell commands run unasked, which are asked about. Dangerous ones among them are known from public reports
// about coding agents: prefix matching, redirects, substitutions, options that run programs, repository traps.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPermissionContext } from "../../src/app/permit.ts";
import type { Decision, PermissionMode } from "../../src/domain/permission.ts";
import { decide } from "../../src/permission/decide.ts";
import { createPermissionProject } from "../support/permission-project.ts";

const project = createPermissionProject();
afterAll(project.close);

interface Options {
  readonly mode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly cwd?: string;
  readonly sandbox?: boolean;
  readonly path?: string;
}

function decision(command: string, options: Options = {}): Decision {
  const { mode = "ask", cwd = project.root, sandbox = false, path = "/usr/bin:/bin", ...rules } = options;
  const result = createPermissionContext({
    mode,
    rules: [{ source: "command line", ...rules }],
    root: project.root,
    cwd,
    trusted: false,
    sandbox,
    environment: { PATH: path, HOME: project.home },
  });
  if (!result.ok) throw new Error(result.problems.join());
  return decide({ toolName: "bash", args: { command } }, result.context);
}

function tableOf(verdict: "allow" | "ask"): readonly [string][] {
  const text = readFileSync(join(import.meta.dir, "../fixtures/shell-decisions.txt"), "utf8");
  let section = "";
  const commands: [string][] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("= ")) section = line.slice(2);
    else if (section === verdict && line !== "" && !line.startsWith("# "))
      commands.push([
        line.replace(/<([A-Z]{2,4})>/g, (written, name: string) => CHARACTERS[name] ?? written),
      ]);
  }
  return commands;
}

const CHARACTERS: Record<string, string> = {
  NL: "\n",
  CR: "\r",
  NBSP: "\u00a0",
  ZWSP: "\u200b",
  EMSP: "\u2003",
  NUL: "\0",
  ESC: "\u001b",
};

describe("in ask mode", () => {
  test.each(tableOf("allow"))("runs unasked: %s", (command) => {
    expect(decision(command)).toMatchObject({ decision: "allow" });
  });

  test.each(tableOf("ask"))("is asked about: %s", (command) => {
    const answer = decision(command);
    expect(answer).toMatchObject({ decision: "ask" });
    expect(answer.reason).toMatch(/\.$/);
  });
});
