// Commands that run another command: which one, and whether they do nothing besides.
import type { KnownWord } from "./rule-match.ts";

export interface Unwrapped {
  readonly commands?: readonly (readonly KnownWord[])[];
  /** A script to be read like the command itself. */
  readonly script?: string;
  /** Nothing but the inner command happens. */
  readonly transparent: boolean;
  readonly doubt?: string;
}

interface Wrapper {
  /** Options that take a value as their next word. */
  readonly valued?: string;
  /** Words that stand before the inner command (a duration, a lock file, a host). */
  readonly leading?: number;
  /** The options with which it does nothing but run the inner command. */
  readonly harmless?: RegExp;
  /** A word of several words is a command of its own, for a shell; where a pattern is given, only with such an option. */
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
  nohup: {},
  exec: { valued: "-a" },
  setsid: {},
  stdbuf: { valued: "-i -o -e" },
  ionice: { valued: "-c -n -t" },
  chrt: { leading: 1 },
  taskset: { leading: 1 },
  flock: { valued: "-w --timeout -E", leading: 1, text: true },
  chroot: { leading: 1 },
  unshare: {},
  nsenter: { valued: "-t --target -S --setuid -G --setgid" },
  pkexec: { valued: "--user" },
  runuser: { valued: "-u --user -g --group -G --supp-group", text: true },
  setarch: {},
  watch: { valued: "-n --interval", text: true },
  strace: { valued: "-e -o -p -s -u" },
  ltrace: { valued: "-e -o -p -s -u" },
  time: { valued: "-o -f" },
  "/usr/bin/time": { valued: "-o -f" },
  "/usr/bin/env": { valued: "-u --unset -C --chdir", text: /^(-[A-Za-z]*S|--split-string)/ },
  xargs: {
    valued:
      "-I -i -L -l -n -P -s -E -e -d -a --max-args --max-procs --max-lines --max-chars --replace --delimiter --arg-file --eof",
  },
  parallel: { valued: "-j --jobs -I -N -n --arg-file -a", text: true },
  busybox: {},
  toybox: {},
  npx: { valued: "-p --package" },
  "systemd-run": {},
  "dbus-run-session": {},
  "xvfb-run": {},
  script: { valued: "-c --command", text: true },
};

const SHELL_NAMES = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:sh|bash|dash|zsh|ksh|ash|fish|su)$/;
const FIND_ACTIONS = /^-(exec|execdir|ok|okdir)$/;
/** sudo and env take NAME=value before the command; any other wrapper's next word would simply be odd. */
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

export function isShell(name: string): boolean {
  return SHELL_NAMES.test(name);
}

/** null: it runs no other command, as far as anyone knows. */
export function unwrap(words: readonly KnownWord[]): Unwrapped | null {
  const [name, ...rest] = words;
  if (name === undefined || name === null) return null;
  if (isShell(name)) return unwrapShell(rest);
  if (name === "eval") return unwrapEval(rest);
  if (name === "trap") return unwrapTrap(rest);
  if (name === "source" || name === ".")
    return { transparent: false, doubt: "it runs what is written in a file" };
  if (name === "find" || name.endsWith("/find")) return unwrapFind(rest);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  return wrapper === undefined ? null : unwrapPlain(name, rest, wrapper);
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
      // `command -v` asks where a program is and runs nothing.
      if (name === "command" && /^-[vV]/.test(word)) return null;
      transparent &&= wrapper.harmless?.test(word) ?? false;
      if (valued.has(word)) index++;
    } else break;
  }
  const inner = rest.slice(index + (wrapper.leading ?? 0));
  const script = scriptIn(rest, wrapper);
  if (inner.length === 0 && script === null) return null;
  // xargs and parallel add words of their own.
  const added = name === "xargs" || name === "parallel" ? [null] : [];
  return {
    ...(inner.length > 0 && { commands: [[...inner, ...added]] }),
    ...(script !== null && { script }),
    transparent,
  };
}

function scriptIn(rest: readonly KnownWord[], { text }: Wrapper): string | null {
  if (text === undefined) return null;
  const known = rest.filter((word) => word !== null);
  if (text !== true && !known.some((word) => text.test(word))) return null;
  const texts = known.map((word) => word.replace(/^(-[A-Za-z]*[cS]|--[a-z-]+=)/, ""));
  return texts.filter((word) => /\S\s+\S/.test(word)).join("\n") || null;
}

/** `trap 'rm x' EXIT`: what it is told to do later. */
function unwrapTrap(rest: readonly KnownWord[]): Unwrapped | null {
  const [script] = rest.filter((word) => word !== "--");
  if (script === undefined || rest.length < 2 || /^-/.test(script ?? "")) return null;
  if (script === null) return { transparent: false, doubt: "a trap runs what isn't known before" };
  return { script, transparent: false };
}

function unwrapShell(rest: readonly KnownWord[]): Unwrapped | null {
  // `sh test.sh` is `./test.sh`: a program like any other, which a rule can name.
  const [first] = rest;
  if (typeof first === "string" && first !== "" && !/^-|^\/(dev|proc)\//.test(first)) return null;
  const flag = rest.findIndex((word) => word !== null && /^-[A-Za-z]*c$/.test(word));
  const script =
    flag < 0 ? undefined : rest.slice(flag + 1).find((word) => word === null || !word.startsWith("-"));
  if (flag < 0) return { transparent: false, doubt: "a shell runs what it reads from a file or a pipe" };
  if (script === null || script === undefined)
    return { transparent: false, doubt: "a shell runs a script that isn't known before" };
  return { script, transparent: flag === 0 && rest[0] === "-c" && rest.length === 2 };
}

function unwrapEval(rest: readonly KnownWord[]): Unwrapped {
  const known = rest.filter((word) => word !== null);
  if (known.length < rest.length) return { transparent: false, doubt: "eval runs what isn't known before" };
  return { script: known.join(" "), transparent: true };
}

function unwrapFind(rest: readonly KnownWord[]): Unwrapped | null {
  const commands: KnownWord[][] = [];
  rest.forEach((word, index) => {
    if (word === null || !FIND_ACTIONS.test(word)) return;
    const inner = rest.slice(index + 1);
    const end = inner.findIndex((part) => part === ";" || part === "+");
    commands.push(
      inner.slice(0, end < 0 ? undefined : end).map((part) => (part?.includes("{}") ? null : part)),
    );
  });
  return commands.length === 0 ? null : { commands, transparent: false };
}
