// Runs git to read what a repository holds. Whatever the repository's configuration says, git starts no other program,
// fetches nothing and writes nothing, and it doesn't keep us waiting for long.
import { dirname, isAbsolute } from "node:path";
import { runProcess } from "../base/process.ts";
import { isWithin } from "../base/real-path.ts";
import { lookAt } from "./file-look.ts";

/** Git on a hostile or huge repository must not run for ever. */
const MAX_GIT_MS = 10_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Rejects if git fails, is missing or takes too long. */
export async function git(
  folder: string,
  args: readonly string[],
  input: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const { output, problem } = await gitOutput(folder, args, input, signal, MAX_GIT_MS);
  if (problem !== null) throw new Error(`git ${args[0]} ${problem}.`);
  return output;
}

/** The same, with what git said before it failed. Rejects if it is missing. */
export async function gitOutput(
  folder: string,
  args: readonly string[],
  input: string,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<{ readonly output: Buffer; readonly problem: string | null }> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const { end, exitCode } = await runProcess({
    argv: ["git", ...SETTINGS, ...args],
    cwd: folder,
    env: environment(folder),
    input,
    signal,
    timeoutMs,
    onOutput: (piece) => {
      bytes += piece.length;
      pieces.push(Uint8Array.from(piece));
      return bytes > MAX_OUTPUT_BYTES ? "stop" : undefined;
    },
    onErrorOutput: () => undefined,
  });
  const problem = end === "stopped" ? "says too much" : end === "timed-out" ? "takes too long" : null;
  const failed = exitCode === 0 ? null : `ended with ${exitCode}`;
  return { output: Buffer.concat(pieces), problem: problem ?? failed };
}

/** The nearest folder at or above this one that has a repository; null if there is none. */
export function repositoryOf(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (lookAt(`${at}/.git`) !== null) return at;
    if (at === "/") return null;
  }
}

const SETTINGS = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"].flatMap(
  (setting) => ["-c", setting],
);

const FIXED: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  // Many answers at once, because thousands are read.
  GIT_FLUSH: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  // Git before 2.44 doesn't know the first of these; the second makes its fetch fail.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** Without variables that lead git elsewhere, and with no program of the project's own in the way. */
function environment(folder: string): Record<string, string | undefined> {
  const isForeign = (name: string) => name.startsWith("GIT_") && !/^GIT_(CONFIG|ATTR)_/.test(name);
  const foreign = Object.keys(process.env).filter(isForeign);
  const isTrusted = (place: string) => isAbsolute(place) && !isWithin(place, folder);
  const path = (process.env["PATH"] ?? "").split(":").filter(isTrusted).join(":");
  return { ...Object.fromEntries(foreign.map((name) => [name, undefined])), PATH: path, ...FIXED };
}
