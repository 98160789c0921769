// Runs a program to its end without blocking this process, which may serve its requests.
import { spawn } from "node:child_process";
import type { Ended } from "./binary.ts";

const DEADLINE_MS = 60_000;

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The program gets the machine's PATH and `env`, and nothing else. */
export async function runProgram(argv: readonly string[], { cwd, env = {} }: ProgramOptions): Promise<Ended> {
  const [command = "", ...args] = argv;
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: DEADLINE_MS,
  });
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => stream.setEncoding("utf8").toArray()),
  );
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("exit", resolve)));
  return { code, stdout: (stdout ?? []).join(""), stderr: (stderr ?? []).join("") };
}
