// A project that somebody made to get at whoever works in it: programs under harmless names, names that are options,
// links to secrets, and repositories whose configuration, hooks and attributes run something. Whatever must not be
// read, started or changed has CANARY in its path.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { git, type PermissionProject } from "./permission-project.ts";

/** The person's variables as an attacker would like them. */
export interface HostileProject extends PermissionProject {
  readonly env: Readonly<Record<string, string>>;
  /** Folders below the root that are repositories, each hostile in its own way. */
  readonly repositories: readonly string[];
}

const PROGRAMS = "ls cat git grep rg head sort find sed wc echo pwd env bash sh timeout nice".split(" ");

type Layout = (repository: Repository) => void;
interface Repository {
  readonly folder: string;
  /** A program that must not start. */
  readonly evil: string;
  readonly write: (path: string, text: string | Buffer) => void;
  readonly configure: (text: string) => void;
}

const attributes = "* filter=x diff=x merge=x\n";
const hook: Layout = ({ write, evil }) => write(".git/hooks/post-index-change", `#!/bin/sh\n${evil}\n`);
const linkToSecret =
  (path: string): Layout =>
  ({ folder }) => {
    const link = join(folder, ".git", path);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(join(folder, "../../..", "CANARY/secret"), link);
  };
/** What security.md lists, and its relatives. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  fsmonitor: ({ configure, evil }) => configure(`[core]\n\tfsmonitor = ${evil}\n`),
  capitals: ({ configure, evil }) => configure(`[CORE] FSMonitor = "${evil}" ; comment\n`),
  continued: ({ configure, evil }) =>
    configure(`[core]\n\tfsmoni\\\ntor = ${evil}\n\tfsmonitor = \\\n${evil}\n`),
  hooks: ({ configure, write, evil }) => {
    configure('[core]\n\thooksPath = "h" # comment\n');
    write("h/post-index-change", `#!/bin/sh\n${evil}\n`);
  },
  noConfig: (repository) => {
    hook(repository);
    rmSync(join(repository.folder, ".git/config"));
  },
  plainHook: hook,
  hugeHook: ({ write, evil }) =>
    write(".git/hooks/post-index-change", `#!/bin/sh\n${evil}\n${"#".repeat(70 << 20)}\n`),
  hugeIndex: (repository) => {
    hook(repository);
    const path = join(repository.folder, ".git/index");
    const extension = Buffer.alloc((70 << 20) + 8);
    extension.write("ZZZZ");
    extension.writeUInt32BE(70 << 20, 4);
    // Its last 20 bytes are the checksum.
    const content = Buffer.concat([readFileSync(path).subarray(0, -20), extension]);
    writeFileSync(path, Buffer.concat([content, createHash("sha1").update(content).digest()]));
  },
  pointerLine: ({ folder, evil }) => {
    execFileSync("mv", [join(folder, ".git"), join(folder, "real")]);
    writeFileSync(join(folder, ".git"), "gitdir: \nreal\n");
    writeFileSync(join(folder, "real/config"), `[core]\n\tfsmonitor = ${evil}\n`);
  },
  hugeConfig: ({ configure, evil }) => configure(`[core]\n\tfsmonitor = ${evil}\n${"#".repeat(70 << 20)}\n`),
  filter: ({ configure, write, evil }) => {
    configure(`[filter "x"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\trequired = true\n`);
    write(".gitattributes", attributes);
  },
  process: ({ configure, write, evil }) => {
    configure(`[filter "x"]\n\tprocess = ${evil}\n`);
    write(".git/info/attributes", attributes);
  },
  textconv: ({ configure, write, evil }) => {
    configure(`[diff "x"]\n\ttextconv = ${evil}\n\tcachetextconv = true\n`);
    write(".gitattributes", attributes);
  },
  driver: ({ configure, write, evil }) => {
    configure(`[diff "x"]\n\tcommand = ${evil}\n[diff]\n\texternal = ${evil}\n`);
    write(".gitattributes", attributes);
  },
  included: ({ configure, write, evil }) => {
    configure("[include]\n\tpath = ../more\n");
    write("more", `[core]\n\tfsmonitor = ${evil}\n[filter "x"]\n\tclean = ${evil}\n`);
    write(".gitattributes", attributes);
  },
  onBranch: ({ configure, write, evil }) => {
    configure('[includeIf "onbranch:main"]\n\tpath = ../more\n');
    write("more", `[diff]\n\texternal = ${evil}\n`);
  },
  worktree: ({ configure, write, evil }) => {
    configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n");
    write(".git/config.worktree", `[core]\n\tfsmonitor = ${evil}\n\tpager = ${evil}\n`);
  },
  pager: ({ configure, evil }) =>
    configure(`[core]\n\tpager = ${evil}\n[pager]\n\tlog = ${evil}\n\tstatus = true\n`),
  signature: ({ configure, evil }) =>
    configure(`[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${evil}\n[format]\n\tpretty = %GK\n`),
  alias: ({ configure, evil }) => configure(`[alias]\n\tstatus = "!${evil}"\n\tlog = "!${evil}"\n`),
  lfs: ({ configure, write, evil }) => {
    configure(
      `[lfs "extension.x"]\n\tclean = ${evil}\n[filter "lfs"]\n\tclean = ${evil}\n\tprocess = ${evil}\n`,
    );
    write(".gitattributes", "* filter=lfs\n");
  },
  elsewhere: ({ configure }) => configure("[core]\n\tworktree = ../../CANARY\n"),
  pointer: ({ folder, evil }) => {
    execFileSync("mv", [join(folder, ".git"), join(folder, "real")]);
    writeFileSync(join(folder, ".git"), "gitdir:  real\n\n");
    writeFileSync(join(folder, "real/config"), `[core]\n\tfsmonitor = ${evil}\n`);
  },
  common: ({ folder, write, evil }) => {
    execFileSync("cp", ["-r", join(folder, ".git"), join(folder, " common")]);
    write(" common/config", `[core]\n\tfsmonitor = ${evil}\n`);
    write(".git/commondir", " ../ common\n");
  },
  submodule: ({ folder, evil }) => {
    git(folder, "init", "-q", "inner");
    const inner = join(folder, "inner");
    git(inner, "commit", "-q", "--allow-empty", "-m", "x");
    git(folder, "add", "inner");
    writeFileSync(
      join(inner, ".git/config"),
      `[core]\n\tfsmonitor = ${evil}\n[filter "x"]\n\tclean = ${evil}\n`,
    );
    writeFileSync(join(inner, ".gitattributes"), attributes);
    writeFileSync(
      join(folder, ".gitmodules"),
      '[submodule "inner"]\n\tpath = inner\n\turl = ./x\n\tignore = none\n',
    );
  },
  waiting: ({ folder }) => {
    rmSync(join(folder, ".git/config"));
    execFileSync("mkfifo", [join(folder, ".git/config")]);
  },
  waitingInclude: ({ folder, configure }) => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    configure("[include]\n\tpath = ../pipe\n");
  },
  /** Git prints the lines of these files that it can't understand. */
  ...Object.fromEntries(
    [
      "packed-refs",
      "shallow",
      "info/grafts",
      "info/exclude",
      "info/attributes",
      "info/sparse-checkout",
      "objects/info/alternates",
      "rebase-merge/git-rebase-todo",
      "rebase-merge/done",
      "BISECT_START",
      "MERGE_HEAD",
      "worktrees/x/locked",
      "worktrees/x/gitdir",
    ].map((path): [string, Layout] => [`linked-${path.replaceAll("/", "-")}`, linkToSecret(path)]),
  ),
  alternates: ({ write }) => write(".git/objects/info/alternates", "../../../../CANARY\n"),
  foreign: ({ folder }) => {
    git(join(folder, "../../..", "CANARY"), "init", "-q");
    rmSync(join(folder, ".git"), { recursive: true });
    writeFileSync(join(folder, ".git"), "gitdir: ../../../CANARY/.git\n");
  },
  foreignCommon: ({ folder, write }) => {
    git(join(folder, "../../..", "CANARY"), "init", "-q");
    write(".git/commondir", "../../../../CANARY/.git\n");
  },
  /** Git would write the index, because only the date of a file is new. */
  touched: ({ folder }) => {
    writeFileSync(join(folder, "a.txt"), "alpha\n");
    utimesSync(join(folder, "a.txt"), 1, 1);
  },
  promisor: ({ configure, evil }) =>
    configure(`[remote "o"]\n\tpromisor = true\n\turl = "ext::${evil}"\n\tuploadpack = ${evil}\n`),
};

interface HostileOptions {
  /** Leaves out the repositories with files so large that everything that reads them takes long. */
  readonly quick?: boolean;
}

export function createHostileProject({ quick = false }: HostileOptions = {}): HostileProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-hostile-")));
  const root = join(base, "project");
  const write = (path: string, text: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
    chmodSync(join(base, path), mode);
  };
  const evil = join(base, "CANARY-program");
  const program = `#!/bin/sh\n${evil} "$0" "$@"\n`;
  write("CANARY-program", `#!/bin/sh\necho "$*" >> ${base}/CANARY-started\n`, 0o755);
  write("CANARY/secret", "a secret\n");
  write("home/.ssh/CANARY-id_rsa", "a key\n");
  for (const name of PROGRAMS)
    for (const folder of ["project/evil", "project/node_modules/.bin", "project", "project/sub", "bin"])
      write(`${folder}/${name}`, program, 0o755);
  for (const path of [
    "a.txt",
    "b.txt",
    "sub/a.txt",
    "sub/evil.sh",
    "deep/er/a.txt",
    "f/-delete",
    "-name",
    "-e",
  ])
    write(`project/${path}`, "alpha\nbeta\n");
  write("project/sub/--pre=bash", "x\n");
  write("project/sub/env touch pwned", "x\n");
  write("project/sub/-exec", "x\n");
  write("project/.env", `KEY=CANARY ${"x".repeat(8)}\n`);
  write("project/.ignore", "!.env\n!CANARY-link\n");
  write(`project/${"a".repeat(250)}`, "long\n");
  mkdirSync(join(root, "odd"));
  writeFileSync(Buffer.concat([Buffer.from(join(root, "odd/file")), Buffer.of(0xff)]), "x\n");
  symlinkSync(
    join(base, "CANARY/secret"),
    Buffer.concat([Buffer.from(join(root, "odd/link")), Buffer.of(0xff)]),
  );
  symlinkSync(join(base, "CANARY/secret"), join(root, "link-out"));
  symlinkSync(join(base, "CANARY"), join(root, "folder-out"));
  symlinkSync("link-out", join(root, "sub/second"));
  symlinkSync("..", join(root, "deep/er/up"));
  symlinkSync("../certificates", join(root, "deep/inside"));
  write("project/certificates/server.pem", "a secret\n");
  const layouts = Object.entries(LAYOUTS).filter(([name]) => !quick || !name.startsWith("huge"));
  const repositories = layouts.map(([name, lay]) => {
    const folder = join(root, "repositories", name);
    mkdirSync(folder, { recursive: true });
    git(folder, "init", "-q", "-b", "main");
    writeFileSync(join(folder, "a.txt"), "alpha\n");
    git(folder, "add", "a.txt");
    git(folder, "commit", "-q", "-m", "first");
    writeFileSync(join(folder, "a.txt"), "changed\n");
    const own = (path: string, text: string | Buffer) =>
      write(join("project/repositories", name, path), text, 0o755);
    lay({
      folder,
      evil,
      write: own,
      configure: (text) => own(".git/config", `[core]\n\tbare = false\n${text}`),
    });
    return `repositories/${name}`;
  });
  return {
    root,
    home: join(base, "home"),
    env: {
      HOME: join(base, "home"),
      PATH: `:.:./evil:${root}/evil:${root}/node_modules/.bin:${base}/bin:/usr/bin:/bin:${root}`,
      BASH_ENV: evil,
      ENV: evil,
      LD_PRELOAD: "/CANARY.so",
      GIT_EXTERNAL_DIFF: evil,
      GIT_PAGER: evil,
      GIT_SSH_COMMAND: evil,
      GIT_DIR: join(base, "CANARY"),
      RIPGREP_CONFIG_PATH: join(base, "CANARY/rc"),
      GREP_OPTIONS: "-r",
      LESSOPEN: `|${evil}`,
      PAGER: evil,
      "BASH_FUNC_ls%%": `() { ${evil}; }`,
      OPENAI_API_KEY: "sk-CANARY-key",
    },
    repositories,
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}
