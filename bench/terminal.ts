// The terminal app: from its start until a key that was typed stands in the editor, beside the smallest editor on the
// same library; and what it holds while idle.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, buildIfStale, compile } from "../scripts/build.ts";
import { type Row, spreadOf } from "./bench.ts";
import { installedApps, type TerminalApp } from "./support/peers.ts";
import { createWorkplace, type Workplace } from "./support/workplace.ts";

export const name = "terminal";

const ROUNDS = 11;
const PEER_ROUNDS = 5;
const DEADLINE_MS = 20_000;
const IDLE_AFTER_MS = 1_000;
const START_LIMIT = 1.5;
const MOST_MB = 60;
/** A character that stands nowhere else. */
const TYPED = "ø";

const OURS: TerminalApp = { name: "tunacode", argv: [BINARY], env: {}, invitation: "Ask anything" };

export async function run(): Promise<Row[]> {
  await buildIfStale();
  const workplace = createWorkplace();
  try {
    const path = join(workplace.home, "editor");
    await compile(join(import.meta.dir, "support", "smallest-editor.ts"), path);
    const editor: TerminalApp = { name: "a pi-tui editor", argv: [path], env: {}, invitation: "────" };
    const peers = installedApps(process.env["PEERS_DIR"], workplace);
    const [ours = [], least = [], ...theirs] = await starts([OURS, editor, ...peers], workplace);
    return [
      ...marks(ours, least, editor.name),
      ...theirs.flatMap((started, index) => rowsOf(started, `, ${peers[index]?.name}`)),
    ];
  } finally {
    workplace.remove();
  }
}

interface Started {
  readonly usableMs: number;
  readonly idleMb: number;
}

/** In turns. The first round only warms up; the others, who take long, are not asked as often as we. */
async function starts(apps: readonly TerminalApp[], workplace: Workplace): Promise<Started[][]> {
  const all: Started[][] = apps.map(() => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, app] of apps.entries()) {
      if (index > 1 && round > PEER_ROUNDS) continue;
      const started = await start(app, workplace);
      if (round > 0) all[index]?.push(started);
    }
  return all;
}

function marks(ours: readonly Started[], least: readonly Started[], yardstickName: string): Row[] {
  const [ready, idle] = rowsOf(ours, "");
  const [editor] = rowsOf(least, "");
  if (ready === undefined || idle === undefined || editor === undefined) throw new Error("No start.");
  const { value: yardstick } = editor;
  const compared = { yardstick, yardstickName, ratio: ready.value / yardstick, limit: START_LIMIT };
  return [
    { ...ready, ...compared },
    { ...idle, limit: MOST_MB },
  ];
}

function rowsOf(all: readonly Started[], whose: string): Row[] {
  const row = (title: string, unit: string, figure: keyof Started): Row => {
    const { median: value, low, high } = spreadOf(all.map((started) => started[figure]));
    return { name: title + whose, value, low, high, unit };
  };
  return [
    row("the terminal app, ready to type", "ms", "usableMs"),
    row("the terminal app, idle", "MB", "idleMb"),
  ];
}

async function start({ argv, env, invitation }: TerminalApp, workplace: Workplace): Promise<Started> {
  const usable = Promise.withResolvers<number>();
  const decoder = new TextDecoder();
  let screen = "";
  let isTyped = false;
  const startedAt = performance.now();
  const child = Bun.spawn([...argv], {
    cwd: workplace.project,
    env: { ...workplace.env, ...env },
    terminal: {
      cols: 100,
      rows: 30,
      data: (terminal, bytes) => {
        const text = decoder.decode(bytes, { stream: true });
        const answers = answersTo(text);
        if (answers !== "") terminal.write(answers);
        screen += text;
        if (!isTyped && screen.includes(invitation)) {
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

/** What a terminal says when it is asked for its cursor, its kind and its colours: some wait for it. */
function answersTo(text: string): string {
  return QUESTIONS.flatMap(([question, answer]) => (text.includes(question) ? [answer] : [])).join("");
}

const QUESTIONS = [
  ["\u001b[6n", "\u001b[1;1R"],
  ["\u001b[c", "\u001b[?62;22c"],
  ["\u001b[?u", "\u001b[?0u"],
  ["\u001b]10;?", "\u001b]10;rgb:ffff/ffff/ffff\u001b\\"],
  ["\u001b]11;?", "\u001b]11;rgb:0000/0000/0000\u001b\\"],
] as const;

/** With all that it has started. */
function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "),
  );
  const below = children.filter((child) => child !== "").map((child) => residentMb(Number(child)));
  return below.reduce((sum, each) => sum + each, Number(kilobytes) / 1_000);
}
