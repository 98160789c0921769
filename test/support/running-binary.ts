// Runs the binary against a strict server, while the test answers, sends signals or stops reading.
import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { copyBinary, type Ended } from "./binary.ts";
import { type Script, type StrictServer, startStrictServer } from "./strict-llm-server/server.ts";

export interface CliLab {
  readonly server: StrictServer;
  readonly binary: string;
  /** The project; its home is the folder above. */
  readonly folder: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs it to its end. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>;
  readonly start: (args: readonly string[], options?: RunOptions) => RunningBinary;
  /** The answers for the following runs. */
  readonly script: (turns: Script) => void;
  readonly close: () => Promise<void>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** If absent, stdin is /dev/null. "open" is a pipe that stays silent. */
  readonly stdin?: string | Uint8Array | "open";
}

export interface RunningBinary {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stdout contains the text. */
  readonly printed: (text: string) => Promise<void>;
}

const DEADLINE_MS = 60_000;

export async function openCliLab(): Promise<CliLab> {
  const copied = await copyBinary();
  const server = await startStrictServer();
  const folder = realpathSync(copied.folder);
  const home = join(folder, "..");
  const env = {
    HOME: home,
    PATH: process.env["PATH"] ?? "",
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: "sk-strict-server-test-key-0123456789",
  };
  const start: CliLab["start"] = (args, options = {}) =>
    startBinary(copied.path, args, { cwd: folder, ...options, env: { ...env, ...options.env } });
  return {
    server,
    binary: copied.path,
    folder,
    home,
    env,
    start,
    run: (args, options) => start(args, options).ended,
    script: (turns) => server.script(turns),
    close: async () => {
      await server.stop();
      copied.remove();
    },
  };
}

export function startBinary(path: string, args: readonly string[], options: RunOptions): RunningBinary {
  const { stdin, cwd, env = {} } = options;
  const child = spawn(path, args, {
    cwd,
    env,
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: DEADLINE_MS,
  });
  if (stdin !== undefined && stdin !== "open") {
    // A program that ends early need not have read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
  }
  const written = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8");
    child[name]?.on("data", (text: string) => {
      written[name] += text;
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...written }));
  });
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      const watch = () => {
        if (written.stdout.includes(text)) resolve();
      };
      watchers.add(watch);
      watch();
    });
  return { child, ended, printed };
}
