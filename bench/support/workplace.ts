// A project to work in and a home of its own, so that nothing of this machine is measured or touched.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Workplace {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sessions: string;
  readonly remove: () => void;
}

export const FILES = 10;

/** `lines`: of each file. */
export function createWorkplace(lines = 50): Workplace {
  const home = mkdtempSync(join(tmpdir(), "tunacode-bench-"));
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const text = Array.from({ length: lines }, (_, index) => `line ${index} of an ordinary source file\n`).join(
    "",
  );
  for (let file = 0; file < FILES; file++) writeFileSync(join(project, fileName(file)), text);
  return {
    home,
    project,
    env: {
      HOME: home,
      PATH: process.env["PATH"] ?? "",
      TERM: "xterm-256color",
      OPENAI_API_KEY: "bench-key-of-no-use",
      ANTHROPIC_API_KEY: "bench-key-of-no-use",
    },
    sessions: join(home, ".local", "share", "tunacode", "sessions"),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export function fileName(number: number): string {
  return `file-${number % FILES}.txt`;
}
