// Parses the shell line with which the sandbox library starts bubblewrap, so that it runs without a shell, and corrects
// three things in it: the placeholder files it would leave in the project, the temporary folder, and the network relays,
// which aren't needed if no host is allowed.
import { existsSync } from "node:fs";
import { parse, type Word } from "unbash";

interface BubblewrapOptions {
  readonly temporaryFolder: string;
  /** Set if no host is allowed: the command runs without relays, under the program that blocks unix sockets. */
  readonly direct: { readonly seccomp: string; readonly shell: string; readonly command: string } | null;
}

/** null if it isn't the line we know, as on macOS or with a new version. Then it is run unchanged. */
export function bubblewrapArguments(line: string, options: BubblewrapOptions): readonly string[] | null {
  const script = parse(line);
  const command = script.commands[0]?.command;
  if (script.errors !== undefined || script.commands.length !== 1 || command?.type !== "Command") return null;
  if (command.name === undefined || command.prefix.length > 0 || command.redirects.length > 0) return null;
  const words = [command.name, ...command.args].filter((word) => word.type === "Word");
  if (words.length !== command.args.length + 1 || !words.every(isLiteral)) return null;
  const argv = words.map((word) => word.value);
  const end = argv.indexOf("--");
  if (!/(^|\/)bwrap$/.test(argv[0] ?? "") || end < 0) return null;
  const head = repaired(argv.slice(0, end), options.temporaryFolder);
  return [...head, ...(direct(argv.slice(end), options) ?? argv.slice(end))];
}

/**
 * The library protects a missing file by mounting something empty on it, which leaves an empty file in the project:
 * `git status` shows a dozen of them and `git add .` fails. So a missing file is protected only in git's own folder,
 * where a hook would run outside the sandbox.
 */
function repaired(argv: readonly string[], temporaryFolder: string): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const [flag = "", first = "", second = ""] = argv.slice(index, index + 3);
    if (flag === "--ro-bind" && !existsSync(second) && !second.includes("/.git/")) index += 2;
    else if (flag === "--setenv" && first === "TMPDIR") {
      kept.push(flag, first, temporaryFolder);
      index += 2;
    } else kept.push(flag);
  }
  return kept;
}

/** The relays cost two processes and 30 ms per command. */
function direct(tail: readonly string[], { direct }: BubblewrapOptions): readonly string[] | null {
  const script = tail.at(-1) ?? "";
  if (direct === null || !script.includes(`${NO_NESTING}=0 ${direct.seccomp} ${direct.shell} -c `))
    return null;
  return ["--setenv", NO_NESTING, "0", "--", direct.seccomp, direct.shell, "-c", direct.command];
}

/** Tells the program that blocks unix sockets to block new user namespaces, too. */
const NO_NESTING = "SRT_ALLOW_NESTED_USERNS";

function isLiteral(word: Word): boolean {
  return (word.parts ?? []).every(
    (part) =>
      part.type === "Literal" ||
      part.type === "SingleQuoted" ||
      (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal")),
  );
}
