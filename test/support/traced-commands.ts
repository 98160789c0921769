// Runs shell scripts in bubblewrap (read-only root, no network) under strace, and lists what they tried to do beyond
// reading: writes, connections, programs that aren't known to only read, and files that must not be touched.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWithin } from "../../src/base/real-path.ts";
import { READ_ONLY } from "../../src/permission/read-only-table.ts";

export interface Misdeed {
  readonly command: string;
  readonly line: string;
}

const TRACED =
  "execve,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat," +
  "symlink,symlinkat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,truncate,ftruncate,mknod,mknodat," +
  "setxattr,lsetxattr,fsetxattr,utimensat,utime,utimes,mount,umount2,connect,bind,sendto,kill,tkill,tgkill,ptrace";

const PROGRAMS = new Set([
  ...Object.keys(READ_ONLY),
  "git",
  "find",
  "awk",
  "mawk",
  "gawk",
  "sed",
  "jq",
  "[",
  "bash",
  "sh",
  "nice",
  "timeout",
]);

/** Why tracing is impossible here, or null. */
export function whyNotTraced(): string | null {
  const trial = spawnSync("bwrap", [...bubble("/", "/tmp"), "strace", "-f", "-o", "/dev/null", "true"], {
    encoding: "utf8",
    timeout: 10_000,
  });
  return trial.status === 0 ? null : `bubblewrap or strace: ${trial.error?.message ?? trial.stderr.trim()}`;
}

/** What runs, for which command. */
export interface TracedRun {
  readonly command: string;
  readonly script: string;
}

export function misdeedsOf(
  runs: readonly TracedRun[],
  root: string,
  environment: Readonly<Record<string, string>>,
): readonly Misdeed[] {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-trace-"));
  try {
    writeFileSync(join(folder, "commands"), runs.map(({ script }) => `${script}\0`).join(""));
    writeFileSync(join(folder, "runner"), RUNNER);
    const log = join(folder, "log");
    spawnSync(
      "bwrap",
      [
        ...bubble(root, folder),
        "strace",
        "-f",
        // Only the traced calls stop a program.
        "--seccomp-bpf",
        "-y",
        "-s",
        "200",
        "-e",
        `trace=${TRACED}`,
        "-o",
        log,
        "bash",
        join(folder, "runner"),
        join(folder, "commands"),
      ],
      {
        cwd: root,
        stdio: "ignore",
        timeout: 60 * 60_000,
        env: { TERM: "dumb", ...environment },
      },
    );
    return misdeedsIn(readFileSync(log, "utf8"), runs, root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bubble(root: string, writable: string): readonly string[] {
  const binds = writable === "/tmp" ? [] : ["--bind", writable, writable];
  return [
    "--ro-bind",
    "/",
    "/",
    ...binds,
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-net",
    "--die-with-parent",
    "--chdir",
    root,
  ];
}

/**
 * Each command runs in its own shell, whose name has the command's number for the trace. Only what may wait gets a
 * deadline, because that is one more program to trace.
 */
const RUNNER = `
number=0
while IFS= read -r -d '' command; do
  case $command in
    *sleep*|*seq*|*waiting*|*tail*|*fd/*) timeout 5 bash -c "$command" "traced-$number" ;;
    *) bash -c "$command" "traced-$number" ;;
  esac < /dev/null > /dev/null 2>&1
  number=$((number + 1))
done < "$1"
`;

function misdeedsIn(log: string, runs: readonly TracedRun[], root: string): readonly Misdeed[] {
  const misdeeds: Misdeed[] = [];
  let current: string | undefined;
  let seen = 0;
  for (const line of log.split("\n")) {
    const number = /execve\("[^"]*bash".*"traced-(\d+)"\]/.exec(line)?.[1];
    if (number !== undefined) {
      current = runs[Number(number)]?.command;
      seen = Number(number) + 1;
    } else if (current !== undefined && isMisdeed(line, root)) misdeeds.push({ command: current, line });
  }
  if (seen < runs.length) throw new Error(`only ${seen} of ${runs.length} commands left a trace`);
  return misdeeds;
}

/** What programs read when they start, and the project without its secrets. */
function mayBeOpened(path: string, root: string): boolean {
  if (/CANARY|\.(env|pem)$/.test(path)) return false;
  return (
    /^\/$|^\/(usr|lib|lib64|bin|etc|proc|dev|sys|run)(\/|$)|^(pipe|socket|anon_inode|\/?memfd):/.test(path) ||
    isWithin(path, root)
  );
}

function isMisdeed(line: string, root: string): boolean {
  const call = /^\d+ +(\w+)\((.*)$/.exec(line);
  if (call === null) return false;
  const [, name = "", rest = ""] = call;
  // The descriptor that is returned tells the real path.
  const opened = /= \d+<(.*)>$/.exec(rest)?.[1];
  if (opened !== undefined && !mayBeOpened(opened, root)) return true;
  switch (name) {
    case "execve":
      return / = 0$/.test(rest) && !isKnownProgram(/^"([^"]*)"/.exec(rest)?.[1] ?? "");
    case "open":
    case "openat":
      // The shell keeps a long here-document in a temporary file of its own.
      return (
        /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(rest) &&
        !/"\/dev\/(null|tty)"|\/sh-thd\.\w+"/.test(rest)
      );
    case "connect":
      // The C library looks up users in the name service cache.
      return !/sun_path="\/var\/run\/nscd\/socket"/.test(rest);
    case "kill":
    case "tgkill":
    case "tkill":
      // timeout and bash signal their own children, and signal 0 only checks for a process.
      return false;
    default:
      return true;
  }
}

function isKnownProgram(path: string): boolean {
  return (
    /^\/$|^\/(usr\/)?(bin|lib\/git-core|libexec\/git-core)\/[^/]+$/.test(path) &&
    PROGRAMS.has(path.slice(path.lastIndexOf("/") + 1))
  );
}
