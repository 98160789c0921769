// The library hands out one shell line that starts bubblewrap. Taken apart, it can be started without a shell, and
// three things in it can be put right: the place-holders it would leave in the project, the temporary folder, and
// the relays to the network where no host is allowed.
import { existsSync } from "node:fs";
import { parse, type Word } from "unbash";

export interface BubblewrapOptions {
  readonly temporaryFolder: string;
  /** Where no host is allowed: runs the command under this program (it closes unix sockets), and no relays. */
  readonly direct: { readonly seccomp: string; readonly shell: string; readonly command: string } | null;
}

/** null: not the line we know (macOS, a new version); then it is run as it is. */
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
 * A file that isn't there is guarded by mounting something empty on it, which leaves an empty file in the project:
 * `git status` shows a dozen of them and `git add .` fails. So only what is there is guarded, and git's own folder,
 * where nobody looks: a hook written there would run outside.
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

/** The relays cost two processes and 30 ms a command, and would be there for nothing. */
function direct(tail: readonly string[], { direct }: BubblewrapOptions): readonly string[] | null {
  const script = tail.at(-1) ?? "";
  if (direct === null || !script.includes(`${NO_NESTING}=0 ${direct.seccomp} ${direct.shell} -c `))
    return null;
  return ["--setenv", NO_NESTING, "0", "--", direct.seccomp, direct.shell, "-c", direct.command];
}

/** Tells the program that closes unix sockets to close new user namespaces, too. */
const NO_NESTING = "SRT_ALLOW_NESTED_USERNS";

function isLiteral(word: Word): boolean {
  return (word.parts ?? []).every(
    (part) =>
      part.type === "Literal" ||
      part.type === "SingleQuoted" ||
      (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal")),
  );
}
