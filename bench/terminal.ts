// The terminal app: from its start until a key that was typed stands in the editor, and what it holds while idle.
import { readFileSync } from "node:fs";
import { BINARY, buildIfStale } from "../scripts/build.ts";
import { type Row, spreadOf } from "./bench.ts";
import { createWorkplace, type Workplace } from "./support/workplace.ts";

export const name = "terminal";

const ROUNDS = 11;
const DEADLINE_MS = 20_000;
const IDLE_AFTER_MS = 1_000;
/** A third of the best of the others' (codex, 373 ms where these were measured). */
const MOST_MS = 124;
const MOST_MB = 60;
/** The editor's invitation; then a word that stands nowhere else. */
const INVITATION = "Ask anything";
const TYPED = "zyxwv";

export async function run(): Promise<Row[]> {
  await buildIfStale();
  const workplace = createWorkplace();
  try {
    const rounds: Started[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const started = await startApp(workplace);
      if (round > 0) rounds.push(started);
    }
    const row = (title: string, unit: string, limit: number, figure: (started: Started) => number): Row => {
      const { median: value, low, high } = spreadOf(rounds.map(figure));
      return { name: title, value, low, high, unit, limit };
    };
    return [
      row("start to a key in the editor", "ms", MOST_MS, ({ usableMs }) => usableMs),
      row("idle memory", "MB", MOST_MB, ({ idleMb }) => idleMb),
    ];
  } finally {
    workplace.remove();
  }
}

interface Started {
  readonly usableMs: number;
  readonly idleMb: number;
}

async function startApp({ project, env }: Workplace): Promise<Started> {
  const usable = Promise.withResolvers<number>();
  const decoder = new TextDecoder();
  let screen = "";
  let isTyped = false;
  const startedAt = performance.now();
  const child = Bun.spawn([BINARY], {
    cwd: project,
    env,
    terminal: {
      cols: 100,
      rows: 30,
      data: (terminal, bytes) => {
        screen += decoder.decode(bytes, { stream: true });
        if (!isTyped && screen.includes(INVITATION)) {
          isTyped = true;
          terminal.write(TYPED);
        }
        if (screen.includes(TYPED)) usable.resolve(performance.now() - startedAt);
      },
    },
  });
  const timer = setTimeout(
    () => usable.reject(new Error(`No usable prompt: ${screen.slice(-500)}`)),
    DEADLINE_MS,
  );
  try {
    const usableMs = await usable.promise;
    await Bun.sleep(IDLE_AFTER_MS);
    return { usableMs, idleMb: residentMb(child.pid) };
  } finally {
    clearTimeout(timer);
    child.kill("SIGTERM");
    await child.exited;
    child.terminal?.close();
  }
}

function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_000;
}
