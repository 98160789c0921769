// A git repository with a home of its own, and the worktrees that the program makes of it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { enterWorktree } from "../../src/app/worktree-making.ts";
import { type Worktree, type WorktreeProject, worktreeProject } from "../../src/app/worktree-place.ts";
import { uncommittedIn } from "../../src/app/worktree-state.ts";

export interface WorktreeLab extends Disposable {
  /** The main tree. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly open: (options?: {
    readonly trusted?: boolean;
    readonly root?: string;
  }) => Promise<WorktreeProject>;
  /** Makes or takes up a worktree that nobody works in afterwards. */
  readonly make: (name: string, options?: { readonly withChanges?: boolean }) => Promise<Worktree>;
  readonly git: (folder: string, ...args: readonly string[]) => string;
  readonly write: (folder: string, name: string, text: string) => void;
  readonly read: (folder: string, name: string) => string;
}

export const NOT_STOPPED = new AbortController().signal;

export function worktreeLab(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): WorktreeLab {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-worktrees-")));
  const root = join(base, "project");
  const env = { HOME: join(base, "home"), PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (folder: string, ...args: readonly string[]) =>
    execFileSync("git", args, { cwd: folder, env, stdio: "pipe", encoding: "utf8" });
  const write = (folder: string, name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  mkdirSync(root);
  write(env.HOME, ".gitconfig", "[user]\n\tname = Somebody\n\temail = somebody@example.com\n");
  git(root, "init", "-q", "-b", "main");
  for (const [name, text] of Object.entries(files)) write(root, name, text);
  git(root, "add", "--all", "-f");
  git(root, "commit", "-q", "-m", "first");
  const open: WorktreeLab["open"] = ({ trusted = false, root: place = root } = {}) =>
    worktreeProject({ root: place, env, trusted, signal: NOT_STOPPED });
  return {
    root,
    env,
    open,
    make: async (name, { withChanges = false } = {}) => {
      const project = await open();
      const { files: changed, nested } = await uncommittedIn(project.git, root);
      const bring = withChanges ? [...changed, ...nested] : [];
      const { worktree, release } = await enterWorktree(project, name, { bring, signal: NOT_STOPPED });
      await release();
      return worktree;
    },
    git,
    write,
    read: (folder, name) => readFileSync(join(folder, name), "utf8"),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}
