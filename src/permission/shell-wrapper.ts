// Finds the command that a wrapper runs, and tells whether the wrapper does anything else.
import { basename } from "node:path";
import type { KnownWord } from "./rule-match.ts";

interface Unwrapped {
  readonly commands?: readonly (readonly KnownWord[])[];
  /** A script that has to be read like the command itself. */
  readonly script?: string;
  /** It does nothing except run the inner command. */
  readonly transparent: boolean;
  readonly doubt?: string;
  /** That doubt is a mild one. */
  readonly mild?: true;
}

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued?: string;
  /** The number of words before the inner command (a duration, a lock file, a host). */
  readonly leading?: number;
  /** Options with which it does nothing except run the inner command. */
  readonly harmless?: RegExp;
  /** An argument with blanks is a script for a shell: always, or only with an option that matches the pattern. */
  readonly text?: true | RegExp;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  command: { harmless: /^-p$/ },
  builtin: { harmless: /^$/ },
  nice: { valued: "-n --adjustment", harmless: /^(-n|-?\d+|--adjustment=-?\d+|-n-?\d+)$/ },
  timeout: {
    valued: "-s --signal -k --kill-after",
    leading: 1,
    harmless: /^(-v|-[sk].*|--(signal|kill-after|preserve-status|foreground|verbose)(=.*)?)$/,
  },
  sudo: {
    valued:
      "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -r --role -t --type -T -U -R --chroot",
  },
  doas: { valued: "-u -C" },
  env: { valued: "-u --unset -C --chdir", text: /^(-[A-Za-z]*S|--split-string)/ },
  exec: { valued: "-a" },
  stdbuf: { valued: "-i -o -e" },
  ionice: { valued: "-c -n -t" },
  chrt: { leading: 1 },
  taskset: { leading: 1 },
  flock: { valued: "-w --timeout -E", leading: 1, text: true },
  chroot: { leading: 1 },
  nsenter: { valued: "-t --target -S --setuid -G --setgid" },
  pkexec: { valued: "--user" },
  runuser: { valued: "-u --user -g --group -G --supp-group", text: true },
  watch: { valued: "-n --interval", text: true },
  strace: { valued: "-e -o -p -s -u" },
  ltrace: { valued: "-e -o -p -s -u" },
  time: { valued: "-o -f" },
  xargs: {
    valued:
      "-I -i -L -l -n -P -s -E -e -d -a --max-args --max-procs --max-lines --max-chars --replace --delimiter --arg-file --eof",
  },
  parallel: { valued: "-j --jobs -I -N -n --arg-file -a", text: true },
  npx: { valued: "-p --package" },
  script: { valued: "-c --command", text: true },
  ...Object.fromEntries(
    "nohup setsid unshare setarch busybox toybox systemd-run dbus-run-session xvfb-run"
      .split(" ")
      .map((name) => [name, {}]),
  ),
};

const SHELL_NAMES = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:sh|bash|dash|zsh|ksh|ash|fish|su)$/;
const FIND_ACTIONS = /^-(exec|execdir|ok|okdir)$/;
const FD_ACTIONS = /^(-[a-zA-Z]?[xX]|--exec(-batch)?)$/;
/** sudo and env take NAME=value before the command. Other wrappers would take it for the command's name. */
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Parts of the shell after which a name may stand for something else, or with which it calls a command later. */
const RENAMES = /^(alias|hash|enable|shopt|bind|complete|mapfile|readarray|compgen|fc)$/;

export function isShell(name: string): boolean {
  return SHELL_NAMES.test(name);
}

/** null if it isn't known to run another command. */
export function unwrap(words: readonly KnownWord[]): Unwrapped | null {
  const [name, ...rest] = words;
  if (name === undefined || name === null) return null;
  const program = basename(name);
  if (isShell(name)) return unwrapShell(rest);
  if (isShell(program)) return notTransparent(unwrapShell(rest));
  if (name === "eval") return unwrapEval(rest);
  if (name === "trap") return unwrapTrap(rest);
  if (name === "source" || name === ".")
    return doubtful("it runs the script in a file", isScriptFile(rest[0] ?? null));
  if (RENAMES.test(name) && rest.length > 0 && !/^-[a-z]*[lL]$/.test(rest[0] ?? ""))
    return doubtful("it gives a command another name");
  if (/^(find|fd|fdfind)$/.test(program)) return unwrapFind(rest, program === "find");
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  if (wrapper === undefined) return null;
  const inner = unwrapPlain(program, rest, wrapper);
  return program === name ? inner : notTransparent(inner);
}

/** By a path it may be another program of that name. */
function notTransparent(inner: Unwrapped | null): Unwrapped | null {
  return inner && { ...inner, transparent: false };
}

function doubtful(why: string, mild = false): Unwrapped {
  return { transparent: false, doubt: why, ...(mild && { mild: true }) };
}

/** Not what another program writes into a pipe. */
function isScriptFile(word: KnownWord): boolean {
  return word !== null && word !== "" && !/^-|^\/(dev|proc)\//.test(word);
}

function unwrapPlain(name: string, rest: readonly KnownWord[], wrapper: Wrapper): Unwrapped | null {
  const valued = new Set((wrapper.valued ?? "").split(" "));
  let transparent = wrapper.harmless !== undefined;
  let index = 0;
  for (; index < rest.length; index++) {
    const word = rest[index];
    if (word === undefined || word === null) break;
    if (word === "--") {
      index++;
      break;
    }
    if (ASSIGNMENT.test(word)) transparent = false;
    else if (word.startsWith("-") && word !== "-") {
      // `command -v` only looks a program up.
      if (name === "command" && /^-[vV]/.test(word)) return null;
      transparent &&= wrapper.harmless?.test(word) ?? false;
      if (valued.has(word)) index++;
    } else break;
  }
  const own = rest.slice(0, index + (wrapper.leading ?? 0));
  // One unknown word may become several, and then the inner command begins elsewhere.
  if (own.includes(null)) transparent = false;
  const inner = rest.slice(own.length);
  const script = scriptIn(rest, wrapper);
  if (inner.length === 0 && script === null) return null;
  // xargs and parallel append unknown words.
  const added = name === "xargs" || name === "parallel" ? [null] : [];
  const commands = inner.length > 0 ? [[...inner, ...added]] : [];
  return { commands, transparent, ...(script !== null && { script }) };
}

function scriptIn(rest: readonly KnownWord[], { text }: Wrapper): string | null {
  if (text === undefined) return null;
  const known = rest.filter((word) => word !== null);
  if (text !== true && !known.some((word) => text.test(word))) return null;
  const texts = known.map((word) => word.replace(/^(-[A-Za-z]*[cS]|--[a-z-]+=)/, ""));
  return texts.filter((word) => /\S\s+\S/.test(word)).join("\n") || null;
}

/** `trap 'rm x' EXIT` runs its first argument later. */
function unwrapTrap(rest: readonly KnownWord[]): Unwrapped | null {
  const [script] = rest.filter((word) => word !== "--");
  if (script === undefined || rest.length < 2 || /^-/.test(script ?? "")) return null;
  if (script === null) return doubtful("a trap runs a script that isn't known before it runs");
  return { script, transparent: false };
}

function unwrapShell(rest: readonly KnownWord[]): Unwrapped | null {
  // `sh test.sh` is treated like `./test.sh`, as a program that a rule can name.
  const [first] = rest;
  if (isScriptFile(first ?? null)) return null;
  const flag = rest.findIndex((word) => word !== null && /^-[A-Za-z]*c$/.test(word));
  if (flag < 0) {
    const isFile = /^-[euvx]+$/.test(first ?? "") && isScriptFile(rest[1] ?? null);
    return doubtful("a shell runs what it reads from a file or a pipe", isFile);
  }
  const script = rest.slice(flag + 1).find((word) => word === null || !word.startsWith("-"));
  if (script === null || script === undefined)
    return doubtful("a shell runs a script that isn't known before it runs");
  return { script, transparent: flag === 0 && rest[0] === "-c" && rest.length === 2 };
}

function unwrapEval(rest: readonly KnownWord[]): Unwrapped {
  const known = rest.filter((word) => word !== null);
  if (known.length < rest.length) return doubtful("eval runs a script that isn't known before it runs");
  return { script: known.join(" "), transparent: true };
}

function unwrapFind(rest: readonly KnownWord[], isFind: boolean): Unwrapped | null {
  const actions = isFind ? FIND_ACTIONS : FD_ACTIONS;
  const commands: KnownWord[][] = [];
  rest.forEach((word, index) => {
    if (word === null || !actions.test(word)) return;
    const inner = rest.slice(index + 1);
    const end = inner.findIndex((part) => part === ";" || part === "+");
    const words = inner
      .slice(0, end < 0 ? undefined : end)
      .map((part) => (part?.includes("{}") ? null : part));
    // fd appends the name of what it found.
    commands.push(isFind ? words : [...words, null]);
  });
  return commands.length === 0 ? null : { commands, transparent: false };
}
