// Puts a command line for bubblewrap together: our mounts, and from the line that the sandbox library makes everything
// else, which is variables, relays to the network, namespaces and the command itself.
import { statSync } from "node:fs";
import { parse, type Word } from "unbash";
import { byDepth, pins, type SandboxMounts } from "./sandbox-mounts.ts";
import type { PrivateFolder } from "./sandbox-temporary.ts";

/** null if it isn't the line we know, as with a new version. Then nothing runs. */
export function bubblewrapArguments(
  line: string,
  program: string,
  mounts: readonly string[],
): readonly string[] | null {
  const script = parse(line);
  const command = script.commands[0]?.command;
  if (script.errors !== undefined || script.commands.length !== 1 || command?.type !== "Command") return null;
  if (command.name === undefined || command.prefix.length > 0 || command.redirects.length > 0) return null;
  const words = [command.name, ...command.args].filter((word) => word.type === "Word");
  if (words.length !== command.args.length + 1 || !words.every(isLiteral)) return null;
  const [first, ...argv] = words.map((word) => word.value);
  const end = argv.indexOf("--");
  // The line is made without rules for files, so that the whole disk is mounted as it is: that one goes.
  const open = argv.findIndex((_, index) => argv.slice(index, index + 3).join(" ") === "--bind / /");
  if (first !== program || open < 0 || end < open) return null;
  const before = [...argv.slice(0, open), ...argv.slice(open + 3, end)];
  return [program, ...mounts, ...before, ...kernelSettings(), ...argv.slice(end)];
}

/** The user root may change the machine's settings in /proc, in every namespace. */
function kernelSettings(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return ["/proc/sys", "/proc/sysrq-trigger"].flatMap((path) => ["--ro-bind-try", path, path]);
}

/** Later mounts cover earlier ones. `shown` is what can be seen of the machine's temporary folders. */
export function mountArguments(
  mounts: Pick<SandboxMounts, "writable" | "readOnly" | "hidden" | "around">,
  { places, emptyFile, emptyFolder }: PrivateFolder,
  shown: readonly string[],
): readonly string[] {
  const inOrder = [
    ...mounts.writable.map((path) => ({ path, words: ["--bind", path, path] })),
    ...mounts.readOnly.map((path) => ({ path, words: ["--ro-bind", path, path] })),
    // Unlike an empty folder, it has room for what is mounted in it.
    ...mounts.around.map((path) => ({ path, words: ["--tmpfs", path] })),
    ...mounts.hidden.map((path) => ({
      path,
      words: ["--ro-bind", isFolder(path) ? emptyFolder : emptyFile, path],
    })),
  ].sort((one, other) => byDepth(one.path, other.path));
  return [
    ...["--ro-bind", "/", "/"],
    ...places.flatMap(({ path, own }) => ["--bind", own, path]),
    ...shown.flatMap((path) => ["--ro-bind-try", path, path]),
    ...pins(mounts).flatMap((path) => ["--ro-bind", path, path]),
    ...inOrder.flatMap(({ words }) => words),
    ...mounts.around.flatMap((path) => ["--remount-ro", path]),
  ];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isLiteral(word: Word): boolean {
  return (word.parts ?? []).every(
    (part) =>
      part.type === "Literal" ||
      part.type === "SingleQuoted" ||
      (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal")),
  );
}
