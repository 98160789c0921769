// A project on disk for permission decisions: a git repository with ordinary files, secrets, symlinks and traps.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface PermissionProject {
  readonly root: string;
  readonly home: string;
  readonly close: () => void;
}

const FILES: Readonly<Record<string, string>> = {
  "project/a.txt": "alpha\nbeta\ngamma\n",
  "project/b.txt": "beta\nalpha\n",
  "project/README.md": "# Read me\n",
  "project/package.json": '{ "name": "sample", "version": "1.0.0" }\n',
  "project/src/main.ts": "export const answer = 42;\n",
  "project/src/deep/util.ts": "export {};\n",
  "project/.env": "API_KEY=not-a-real-key\n",
  "project/certs/server.key": "not a real key\n",
  "home/.ssh/id_rsa": "not a real key\n",
  "home/notes.txt": "outside\n",
  // A bare repository as plain files, which a clone may contain.
  "project/vendor/trap/HEAD": "ref: refs/heads/main\n",
  "project/vendor/trap/config": "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch /tmp/pwned\n",
  "project/vendor/trap/objects/.keep": "",
  "project/vendor/trap/refs/.keep": "",
};

export function createPermissionProject(): PermissionProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-permission-")));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  const root = join(base, "project");
  symlinkSync(join(base, "home/notes.txt"), join(root, "link-out"));
  symlinkSync(join(base, "home"), join(root, "link-home"));
  symlinkSync("a.txt", join(root, "link-in"));
  symlinkSync("vendor/trap/refs", join(root, "link-trap"));
  symlinkSync("loop", join(root, "loop"));
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "a.txt", "b.txt", "README.md", "package.json", "src");
  git(root, "commit", "-q", "-m", "first");
  return { root, home: join(base, "home"), close: () => rmSync(base, { recursive: true, force: true }) };
}

/** Runs git without the settings of the machine. */
export function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
    cwd: folder,
    stdio: "pipe",
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
  });
}
