// Git as this program uses it for worktrees: with the person's own configuration, without hooks, and in a folder that
// isn't trusted without anything that the repository's configuration would have it run.
import { homedir } from "node:os";
import { runProcess } from "../base/process.ts";
import type { Environment } from "../base/xdg.ts";
import { TunacodeError } from "../domain/error.ts";
import { createDiskView } from "../permission/disk.ts";
import { guardWritingGit } from "../permission/git-repository.ts";
import { trustedSearchPath } from "../permission/search-path.ts";
import { unaskedEnvironment } from "../permission/unasked-environment.ts";

export interface Git {
  /** What it printed. Throws with git's own words if it fails. */
  readonly out: (folder: string, args: readonly string[], options?: GitOptions) => Promise<string>;
  /** The same without throwing. */
  readonly attempt: (folder: string, args: readonly string[], options?: GitOptions) => Promise<GitEnd>;
  /** Files that a filter of this repository makes stay as git stores them. */
  readonly filtersOff: boolean;
}

interface GitEnd {
  readonly ok: boolean;
  /** null if it was stopped. */
  readonly code: number | null;
  readonly out: string;
  /** What it said about a failure, on one line. */
  readonly problem: string;
}

interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** It is left to finish if we are stopped or killed: half a merge would be worse. */
  readonly unbroken?: boolean;
}

interface GitPlace {
  readonly root: string;
  readonly env: Environment;
  readonly trusted: boolean;
  readonly signal: AbortSignal;
}

/** Who commits, and how a person's own signing program is reached. */
const PERSONS = /^(GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL)|EMAIL|GNUPGHOME|GPG_TTY|SSH_AUTH_SOCK)$/;

export async function openGit({ root, env, trusted, signal }: GitPlace): Promise<Git> {
  const persons = Object.fromEntries(Object.entries(env).filter(([name]) => PERSONS.test(name)));
  const path = trustedSearchPath(env["PATH"] ?? "", [root]);
  const unasked = unaskedEnvironment({ HOME: homedir(), ...env }, path);
  const program = createDiskView(unasked).findProgram("git");
  if (program === null) throw new TunacodeError("usage", "Worktrees need git, and there is none here.");
  const run = runnerOf(program, signal);
  const listed = await run(root, LIST_CONFIGURATION, unasked);
  const guard = guardWritingGit(listed.ok ? listed.out : null, trusted);
  if (!guard.safe)
    throw new TunacodeError(
      "usage",
      `${capital(guard.why)}. If you trust this folder: tunacode config trust`,
    );

  const attempt: Git["attempt"] = (folder, args, { env: added = {}, unbroken = false } = {}) =>
    run(folder, args, { ...persons, ...unasked, ...guard.variables, ...added }, unbroken);
  return {
    attempt,
    out: async (folder, args, options) => {
      const { ok, out, problem } = await attempt(folder, args, options);
      if (!ok)
        throw new TunacodeError(
          "usage",
          `git ${args.find((word) => /^[a-z]/.test(word))} failed: ${problem || "it says no more"}`,
        );
      return out;
    },
    filtersOff: guard.filtersOff,
  };
}

const LIST_CONFIGURATION = ["config", "--list", "--show-scope", "--includes", "-z"];
/** Checking out a large repository takes minutes. */
const PATIENCE_MS = 15 * 60_000;

function runnerOf(program: string, signal: AbortSignal) {
  // Our own environment may name another repository.
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return async (
    folder: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    unbroken = false,
  ): Promise<GitEnd> => {
    const out: Uint8Array[] = [];
    const said: Uint8Array[] = [];
    const { end, exitCode } = await runProcess({
      argv: [program, ...args],
      cwd: folder,
      env: { ...none, ...env },
      signal: unbroken ? new AbortController().signal : signal,
      family: !unbroken,
      detached: unbroken,
      timeoutMs: PATIENCE_MS,
      onOutput: (piece) => keep(out, piece),
      onErrorOutput: (piece) => keep(said, piece),
    });
    const problem = end === "timed-out" ? "it took too long and was stopped" : oneLine(textOf(said));
    const code = end === "exited" ? exitCode : null;
    return { ok: code === 0, code, out: textOf(out), problem };
  };
}

function keep(pieces: Uint8Array[], piece: Uint8Array): undefined {
  pieces.push(Uint8Array.from(piece));
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString("utf8");
}

const LONGEST_PROBLEM = 1_000;

function oneLine(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, " ")
    .slice(0, LONGEST_PROBLEM);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
