// Runs git to read what a repository holds. Whatever the repository's configuration says, git starts no other program,
// fetches nothing and writes nothing, and it doesn't keep us waiting for long.
import { type ChildProcess, spawn } from "node:child_process";
import { dirname, isAbsolute } from "node:path";
import { isWithin } from "../base/real-path.ts";
import { lookAt } from "./file-look.ts";

/** Git on a hostile or huge repository must not run for ever. */
const MAX_GIT_MS = 20_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Rejects if git fails, is missing or takes too long. */
export async function git(
  folder: string,
  args: readonly string[],
  input: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of gitOutput(folder, args, input, withDeadline(signal))) {
    bytes += piece.length;
    if (bytes > MAX_OUTPUT_BYTES) throw new Error(`git ${args[0]} says too much.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export function withDeadline(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(MAX_GIT_MS)]);
}

/** The same as it comes. A consumer that stops early ends git. */
export async function* gitOutput(
  folder: string,
  args: readonly string[],
  input: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const child = spawn("git", [...SETTINGS, ...args], {
    cwd: folder,
    env: environment(folder),
    stdio: ["pipe", "pipe", "ignore"],
    signal,
    killSignal: "SIGKILL",
  });
  const ended = endOf(child, args);
  // It is awaited below; until then its failure must not count as unhandled.
  ended.catch(() => {});
  try {
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    for await (const piece of child.stdout) yield piece;
    await ended;
  } finally {
    child.kill("SIGKILL");
  }
}

/** The nearest folder at or above this one that has a repository; null if there is none. */
export function repositoryOf(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (lookAt(`${at}/.git`) !== null) return at;
    if (at === "/") return null;
  }
}

async function endOf(child: ChildProcess, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`git ${args[0]} ended with ${code}.`)),
    );
  });
}

const SETTINGS = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"].flatMap(
  (setting) => ["-c", setting],
);

const FIXED: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  // Git before 2.44 doesn't know the first of these; the second makes its fetch fail.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** Without variables that lead git elsewhere, and with no program of the project's own in the way. */
function environment(folder: string): Record<string, string | undefined> {
  const isKept = (name: string) => !name.startsWith("GIT_") || /^GIT_(CONFIG|ATTR)_/.test(name);
  const own = Object.entries(process.env).filter(([name]) => isKept(name));
  const isTrusted = (place: string) => isAbsolute(place) && !isWithin(place, folder);
  const path = (process.env["PATH"] ?? "").split(":").filter(isTrusted).join(":");
  return { ...Object.fromEntries(own), PATH: path, ...FIXED };
}
