// Which shell commands run without a question. The dangerous ones come from public reports about coding agents: prefix
// matching, redirections, substitutions, options that run programs, repository traps.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPermissionContext } from "../../src/app/permit.ts";
import type { Decision, PermissionMode } from "../../src/domain/permission.ts";
import { decide } from "../../src/permission/decide.ts";
import { askedCall } from "../support/asked-call.ts";
import { createPermissionProject } from "../support/permission-project.ts";

const project = createPermissionProject();
afterAll(project.close);

function decision(command: string, mode: PermissionMode): Decision {
  const context = createPermissionContext({
    permission: { mode, rules: [], sandbox: "off" },
    cwd: project.root,
    trusted: false,
    env: { PATH: "/usr/bin:/bin", HOME: project.home },
  });
  return decide(askedCall({ toolName: "bash", args: { command } }, context), context);
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

describe("in every mode but yolo", () => {
  test.each(tableOf("allow"))("runs unasked: %s", (command) => {
    for (const mode of ["ask", "auto-edit", "read-only"] as const)
      expect(decision(command, mode)).toMatchObject({ decision: "allow" });
  });

  test.each(tableOf("ask"))("doesn't run unasked: %s", (command) => {
    expect(decision(command, "ask")).toMatchObject({ decision: "ask", reason: expect.stringMatching(/\.$/) });
    expect(decision(command, "auto-edit")).toMatchObject({ decision: "ask" });
    expect(decision(command, "read-only").decision).not.toBe("allow");
  });
});
