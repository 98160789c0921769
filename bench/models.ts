// CPU time of 20,000 deltas through each vendor path, loop and journal, against draining the SDK's own stream, and against
// a bare fetch that splits lines. The body is built beforehand and handed over in pieces, as a socket would.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { memoryStateManager } from "../src/app/agent.ts";
import { runRequest } from "../src/app/run-request.ts";
import type { Model } from "../src/domain/model.ts";
import { createModel } from "../src/models/create-model.ts";
import { resolveProvider } from "../src/models/resolve-provider.ts";
import type { Fetch, Wire } from "../src/models/settings.ts";
import { loadVendor } from "../src/models/vendors.ts";
import { createGate, findViolations } from "../src/models/wire-gate/gate.ts";
import { createSession } from "../src/session/open.ts";
import { type Row, spreadOf } from "./bench.ts";
import { inPieces } from "./support/in-pieces.ts";

export const name = "models";

const DELTAS = 20_000;
const ROUNDS = 21;
const LIMIT = 1.15;

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const wire of ["openai-chat", "openai-responses", "anthropic", "google"] as const)
    rows.push(...(await measure(wire)));
  rows.push(measureGate(), measureRememberingGate());
  return rows;
}

const GATE_ROUNDS = 1_000;

/** A body of a long session by Anthropic's wire. */
function longBody(rounds: number): string {
  const text = "x".repeat(2_000);
  const messages = Array.from({ length: rounds }, (_, index) => [
    { role: "assistant", content: [{ type: "tool_use", id: `call_${index}`, name: "bash", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `call_${index}`, content: text }] },
  ]).flat();
  const tools = [{ name: "bash", input_schema: { type: "object" } }];
  const first = { role: "user", content: "go" };
  return JSON.stringify({ model: "m", max_tokens: 1, tools, messages: [first, ...messages] });
}

/** The gate on the body of a long session, against reading its JSON alone. */
function measureGate(): Row {
  const body = longBody(GATE_ROUNDS);
  const check = () => {
    if (findViolations("anthropic", body).length > 0) throw new Error("the gate refuses a valid body");
  };
  return againstParse("the gate on 2,001 messages, 2 MB", 5, () => ({ body, check }));
}

/** The gate on a session that grows by a call and its return from body to body. */
function measureRememberingGate(): Row {
  const gate = createGate("anthropic");
  gate(longBody(GATE_ROUNDS), "");
  return againstParse("the gate on two messages more than 2,001", 0.5, (round) => {
    const body = longBody(GATE_ROUNDS + 1 + round);
    return { body, check: () => gate(body, "") };
  });
}

interface GateRound {
  readonly body: string;
  readonly check: () => void;
}

function againstParse(title: string, limit: number, prepare: (round: number) => GateRound): Row {
  const [gate, parse]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const { body, check } = prepare(round);
    const begin = performance.now();
    JSON.parse(body);
    const parsed = performance.now();
    check();
    if (round > 0) parse.push(parsed - begin);
    if (round > 0) gate.push(performance.now() - parsed);
  }
  const [value, floor] = [spreadOf(gate).median, spreadOf(parse).median];
  return { name: title, value, unit: "ms", floor, floorName: "JSON.parse", ratio: value / floor, limit };
}

async function measure(wire: Wire): Promise<Row[]> {
  const bytes = new TextEncoder().encode(STREAMS[wire]());
  const fetch: Fetch = async () =>
    new Response(inPieces(bytes), { headers: { "content-type": "text/event-stream" } });
  const provider = { api: wire, baseUrl: "http://127.0.0.1:9/v1" } as const;
  const settings = { env: {}, providers: { bench: provider }, fetch };
  const model = await createModel("bench:some-model", settings);
  const vendor = await loadVendor(resolveProvider("bench", settings), "some-model", fetch);

  const paths = {
    bare: () => splitLines(fetch),
    sdk: () => drain(vendor),
    ours: () => throughLoopAndJournal(model),
  };
  const samples: Record<keyof typeof paths, number[]> = { bare: [], sdk: [], ours: [] };
  // The first round only warms up; the paths take turns, so that a noisy neighbour meets all of them.
  for (let round = 0; round <= ROUNDS; round++)
    for (const path of ["bare", "sdk", "ours"] as const) {
      const before = process.cpuUsage();
      const deltas = await paths[path]();
      const { user, system } = process.cpuUsage(before);
      if (deltas !== DELTAS) throw new Error(`${wire} ${path}: ${deltas} deltas instead of ${DELTAS}`);
      if (round > 0) samples[path].push((user + system) / DELTAS);
    }
  return [
    row(`${wire}: a whole request`, samples.ours, samples.sdk, "the SDK's own stream", LIMIT),
    row(`${wire}: the SDK's own stream`, samples.sdk, samples.bare, "a bare fetch that splits lines"),
  ];
}

/** A whole request: vendor path, loop, session file with its partial records and syncs, and the session's end. */
async function throughLoopAndJournal(model: Model): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-bench-"));
  const { state, writer } = createSession({
    folder,
    projectId: "0".repeat(16),
    workingDirectory: folder,
    model: model.name,
  });
  const record = { prompt: writer.prompt.bind(writer), event: writer.record.bind(writer) };
  const manager = memoryStateManager({ createModel: async () => model, record }, state);
  // Deltas that arrive together are handed on as one, so they are counted in the text.
  let text = "";
  const events = runRequest("Go.", model, manager);
  for (let step = await events.next(); !step.done; step = await events.next())
    if (step.value.type === "text-delta") text += step.value.text;
  await writer.close();
  rmSync(folder, { recursive: true });
  return text.split("lorem").length - 1;
}

/** The ratio is taken round by round: a neighbour that slows one round slows both sides of it. */
function row(
  title: string,
  values: readonly number[],
  floors: readonly number[],
  floorName: string,
  limit?: number,
): Row {
  const ratio = spreadOf(values.map((value, round) => value / (floors[round] ?? Number.NaN))).median;
  const [value, floor] = [spreadOf(values).median, spreadOf(floors).median];
  return { name: title, value, unit: "µs/delta", floor, floorName, ratio, ...(limit && { limit }) };
}

async function drain(vendor: LanguageModelV4): Promise<number> {
  const prompt: LanguageModelV4CallOptions["prompt"] = [
    { role: "system", content: "You are measured." },
    { role: "user", content: [{ type: "text", text: "Go." }] },
  ];
  const { stream } = await vendor.doStream({ prompt });
  const reader = stream.getReader();
  let deltas = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read())
    if (step.value.type === "text-delta") deltas++;
  return deltas;
}

async function splitLines(fetch: Fetch): Promise<number> {
  const response = await fetch("http://127.0.0.1:9/");
  const decoder = new TextDecoder();
  let rest = "";
  let deltas = 0;
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      if (line.startsWith("data: {") && JSON.stringify(JSON.parse(line.slice(6))).includes("lorem "))
        deltas++;
  }
  return deltas;
}

function frames(events: readonly object[], withNames = false): string {
  return events
    .map((event) => {
      const kind = withNames && "type" in event ? `event: ${event.type}\n` : "";
      return `${kind}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
}

function deltas(make: (text: string) => object): object[] {
  return Array.from({ length: DELTAS }, (_, index) => make(`lorem ${index} `));
}

const STREAMS: Readonly<Record<Wire, () => string>> = {
  "openai-chat": () =>
    frames([
      ...deltas((content) => ({
        id: "c",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta: { content } }],
      })),
      { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ]),
  "openai-responses": () =>
    frames([
      { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
      ...deltas((delta) => ({
        type: "response.output_text.delta",
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta,
      })),
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1" } },
      { type: "response.completed", response: { usage: { input_tokens: 1, output_tokens: DELTAS } } },
    ]),
  anthropic: () =>
    frames(
      [
        {
          type: "message_start",
          message: { id: "m", model: "m", role: "assistant", usage: { input_tokens: 1, output_tokens: 1 } },
        },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        ...deltas((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: DELTAS } },
        { type: "message_stop" },
      ],
      true,
    ),
  google: () =>
    frames([
      ...deltas((text) => ({ candidates: [{ content: { role: "model", parts: [{ text }] } }] })),
      { candidates: [{ content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }] },
    ]),
};
