// The terminal app at work: keys while it streams, bytes per delta, memory after a lot of text.
import type { AgentEvent, Outcome } from "../src/domain/event.ts";
import type { Message } from "../src/domain/message.ts";
import type { RunOptions } from "../src/front/agent.ts";
import { type RunningApp, startApp } from "../test/support/terminal-app.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "tui";

const KEY_LIMIT_MS = 16;
const BYTES_LIMIT = 2_000;
const MEMORY_LIMIT_MB = 150;
const DELTAS_PER_SECOND = 500;
const KEYS = 300;
const TRANSCRIPT_MESSAGES = 10_000;
const STREAMED_MB = 100;

export async function run(): Promise<Row[]> {
  return [...(await keysWhileStreaming()), await memory()];
}

async function keysWhileStreaming(): Promise<Row[]> {
  let deltas = 0;
  const app = startApp({
    history: transcript(),
    agent: { run: (_prompt, options) => stream(options, () => deltas++) },
    rows: 40,
    columns: 120,
    options: { prompt: "go" },
    silent: true,
  });
  await app.until(() => deltas > 0);
  const { terminal } = app;
  const waits: number[] = [];
  const [deltasBefore, bytesBefore] = [deltas, terminal.count];
  for (let key = 0; key < KEYS; key++) {
    await Bun.sleep(15 + (key % 7));
    waits.push(await painted(app, key % 26));
  }
  const bytes = (terminal.count - bytesBefore) / (deltas - deltasBefore);
  app.press("escape");
  await app.leave();
  const p99 = waits.toSorted((one, other) => one - other)[Math.floor(KEYS * 0.99)] ?? Number.NaN;
  return [
    { name: `key to paint, p99, ${DELTAS_PER_SECOND} deltas/s`, value: p99, unit: "ms", limit: KEY_LIMIT_MS },
    { name: "key to paint, median", value: spreadOf(waits).median, unit: "ms" },
    { name: "bytes written per delta", value: bytes, unit: "bytes", limit: BYTES_LIMIT },
  ];
}

/** Until a frame is written after the key. */
async function painted({ terminal }: RunningApp, letter: number): Promise<number> {
  const pressed = performance.now();
  const written = terminal.nextWrite(String.fromCharCode(97 + letter));
  terminal.input(String.fromCharCode(97 + letter));
  return (await written) - pressed;
}

async function* stream({ controller }: RunOptions, onDelta: () => void): AsyncGenerator<AgentEvent, Outcome> {
  yield { type: "request-start", requestId: "bench", model: "bench" };
  yield { type: "node-start", iteration: 1 };
  const began = performance.now();
  for (let count = 0; !controller.signal.aborted; count++) {
    const ahead = (count / DELTAS_PER_SECOND) * 1_000 - (performance.now() - began);
    if (ahead > 1) await Bun.sleep(ahead);
    onDelta();
    yield { type: "text-delta", text: count % 40 === 39 ? "\n\n" : `word${count} ` };
  }
  yield { type: "request-end", outcome: { type: "aborted" } };
  return { type: "aborted" };
}

async function memory(): Promise<Row> {
  const line = `${"text ".repeat(40)}\n\n`;
  const rounds = (STREAMED_MB * 1e6) / line.length;
  let before = 0;
  const app = startApp({
    silent: true,
    options: { prompt: "go" },
    agent: {
      run: async function* () {
        yield { type: "request-start", requestId: "bench", model: "bench" };
        before = residentMb();
        for (let round = 0; round < rounds; round++) {
          // The screen gets its turn, as it does between the packets of a network.
          if (round % 200 === 0) await Bun.sleep(0);
          yield { type: "text-delta", text: line };
        }
        yield { type: "request-end", outcome: { type: "completed" } };
        return { type: "completed" };
      },
    },
  });
  await app.until(() => app.terminal.count > STREAMED_MB * 1e6 * 0.9, 300_000);
  const value = residentMb() - before;
  await app.leave();
  return { name: `memory added by streaming ${STREAMED_MB} MB`, value, unit: "MB", limit: MEMORY_LIMIT_MB };
}

function residentMb(): number {
  Bun.gc(true);
  return process.memoryUsage.rss() / 1e6;
}

function transcript(): Message[] {
  return Array.from({ length: TRANSCRIPT_MESSAGES }, (_, index) =>
    index % 2 === 0
      ? { kind: "request", parts: [{ kind: "user-prompt", content: `question ${index}` }] }
      : { kind: "response", parts: [{ kind: "text", content: `answer **${index}**\n\n- one\n- two` }] },
  );
}
