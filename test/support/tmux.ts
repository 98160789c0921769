// A real terminal for tests: a separate tmux server that a test can type into and read.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";

export interface Tmux {
  /** tmux key names ("Enter", "C-c"), or characters with `literal`. */
  readonly keys: (...keys: string[]) => void;
  readonly type: (text: string) => void;
  /** Pastes like the terminal itself. */
  readonly paste: (text: string) => void;
  readonly screen: () => string;
  /** Includes the scrollback. */
  readonly everything: () => string;
  readonly see: (text: string | RegExp) => Promise<string>;
  readonly resize: (columns: number, rows: number) => void;
  /** A tmux format, such as #{cursor_flag}. */
  readonly ask: (format: string) => string;
  readonly kill: () => void;
}

const DEADLINE_MS = 15_000;

export function hasTmux(): boolean {
  return spawnSync("tmux", ["-V"]).status === 0;
}

export interface TmuxOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A shell in an otherwise empty environment, independent of the machine's settings. */
export function startTmux({ env = {}, cwd = "/tmp" }: TmuxOptions = {}): Tmux {
  const socket = `tunacode-test-${randomUUID().slice(0, 8)}`;
  const run = (args: readonly string[], input?: string) => {
    const { stdout, status, stderr } = spawnSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      ...(input === undefined ? {} : { input }),
    });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  const variables = {
    HOME: "/tmp",
    PATH: process.env["PATH"] ?? "",
    TERM: "xterm-256color",
    PS1: "$ ",
    ...env,
  };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const shell = ["env", "-i", ...settings, "bash", "--norc", "--noprofile", "-i"];
  run(["new-session", "-d", "-x", "80", "-y", "24", "-c", cwd, ...shell]);
  const screen = () => run(["capture-pane", "-p"]);
  return {
    keys: (...keys) => void run(["send-keys", ...keys]),
    type: (text) => void run(["send-keys", "-l", text]),
    paste: (text) => {
      run(["load-buffer", "-"], text);
      run(["paste-buffer", "-p", "-d"]);
    },
    screen,
    everything: () => run(["capture-pane", "-p", "-S", "-"]),
    see: async (text) => {
      const deadline = performance.now() + DEADLINE_MS;
      while (true) {
        const shown = screen();
        if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return shown;
        if (performance.now() > deadline) throw new Error(`${text} never came. The screen:\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    resize: (width, height) => void run(["resize-window", "-x", String(width), "-y", String(height)]),
    ask: (format) => run(["display-message", "-p", format]).trim(),
    kill: () => void spawnSync("tmux", ["-L", socket, "kill-server"]),
  };
}
