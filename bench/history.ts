// What preparing a history costs for the first time, per message at three lengths, beside a JSON.parse of the same
// history; and what it costs before the next request, when a turn has been added.
import type { Message } from "../src/domain/message.ts";
import { prepareHistory } from "../src/history/prepare.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "history";

const SIZES = [100, 1_000, 10_000];
/** Every size does the same number of messages a round, so that all see the same caches. */
const MESSAGES_PER_ROUND = 10_000;
const ROUNDS = 20;
const WARM_UP_ROUNDS = 5;
const LIMIT_OF_PARSE = 1;
const LIMIT_OF_GROWTH = 1.5;
const LIMIT_OF_NEXT = 0.2;

interface Sample {
  readonly kind: string;
  readonly make: (size: number) => readonly Message[];
  /** The smallest size that does all of the work: a hundred messages hold too little to be pruned. */
  readonly growsFrom: number;
}

const SAMPLES: readonly Sample[] = [
  { kind: "valid", make: prunedHistory, growsFrom: 100 },
  { kind: "to be pruned", make: sampleHistory, growsFrom: 1_000 },
  { kind: "one dangling call", make: (size) => sampleHistory(size).toSpliced(size - 2, 1), growsFrom: 1_000 },
  { kind: "damaged throughout", make: (size) => damage(sampleHistory(size)), growsFrom: 1_000 },
];

export async function run(): Promise<Row[]> {
  const rows = SAMPLES.flatMap(({ kind, make, growsFrom }) => {
    const costs = measureSizes(SIZES.map((size) => ({ size, json: JSON.stringify(make(size)) })));
    const compared = costs.filter(({ size }) => size >= growsFrom);
    return [...costs.map((cost) => againstParse(kind, cost)), growth(kind, compared)];
  });
  return [...rows, nextRequest()];
}

function measureSizes(histories: readonly { size: number; json: string }[]): Cost[] {
  const sizes = histories.map((history) => ({ ...history, prepare: [] as number[], parse: [] as number[] }));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const { size, json, prepare, parse } of sizes) {
      const took = measure(json, MESSAGES_PER_ROUND / size);
      if (round < WARM_UP_ROUNDS) continue;
      prepare.push(took.prepare);
      parse.push(took.parse);
    }
  return sizes.map(({ size, prepare, parse }) => ({
    size,
    prepare: spreadOf(prepare).median,
    parse: spreadOf(parse).median,
  }));
}

/** Nanoseconds a message. */
interface Cost {
  readonly size: number;
  readonly prepare: number;
  readonly parse: number;
}

function againstParse(kind: string, { size, prepare, parse }: Cost): Row {
  return {
    name: `${kind}, ${size} messages`,
    value: prepare,
    unit: "ns a message",
    floor: parse,
    floorName: "JSON.parse",
    ratio: prepare / parse,
    limit: LIMIT_OF_PARSE,
  };
}

function growth(kind: string, costs: readonly Cost[]): Row {
  const [shortest, longest] = [costs[0], costs.at(-1)];
  if (shortest === undefined || longest === undefined) throw new Error("A sample needs a size.");
  return {
    name: `${kind}, growth`,
    value: longest.prepare,
    unit: "ns a message",
    floor: shortest.prepare,
    floorName: `${shortest.size} messages`,
    ratio: longest.prepare / shortest.prepare,
    limit: LIMIT_OF_GROWTH,
  };
}

/** Every round the same conversation has grown by a turn, in a new list, as it is when the next request comes. */
function nextRequest(): Row {
  const size = Math.max(...SIZES);
  const first: number[] = [];
  const next: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const valid: Message[] = JSON.parse(JSON.stringify(prunedHistory(size)));
    const grown = [...valid, ...sampleHistory(size + TURN).slice(size)];
    Bun.gc(true);
    const start = performance.now();
    prepareHistory(valid);
    const middle = performance.now();
    prepareHistory(grown);
    const end = performance.now();
    if (round < WARM_UP_ROUNDS) continue;
    first.push((middle - start) * 1_000);
    next.push((end - middle) * 1_000);
  }
  const [value, floor] = [spreadOf(next).low, spreadOf(first).low];
  return {
    name: `valid, ${size} messages, a turn later`,
    value,
    unit: "µs",
    floor,
    floorName: "the first time",
    ratio: value / floor,
    limit: LIMIT_OF_NEXT,
  };
}

/**
 * Each copy is parsed anew: preparing what was just prepared would flatter us. What parsing left behind is collected
 * before, so that neither pays for the other.
 */
function measure(json: string, copies: number): { prepare: number; parse: number } {
  Bun.gc(true);
  const parseStart = performance.now();
  const histories = Array.from({ length: copies }, (): Message[] => JSON.parse(json));
  const parse = performance.now() - parseStart;
  Bun.gc(true);
  const prepareStart = performance.now();
  for (const history of histories) prepareHistory(history);
  const prepare = performance.now() - prepareStart;
  const perMessage = 1e6 / MESSAGES_PER_ROUND;
  return { parse: parse * perMessage, prepare: prepare * perMessage };
}

/** As it is in every request but the first after a lot of reading. */
function prunedHistory(size: number): readonly Message[] {
  return prepareHistory(sampleHistory(size)).messages;
}

const TURN = 10;

/** Turns of ten messages: a prompt, four steps with thinking, a call or two and returns of 1 to 2 KB, an answer. */
function sampleHistory(size: number): Message[] {
  return Array.from({ length: size }, (_, at): Message => {
    const inTurn = at % TURN;
    if (inTurn === 0) return { kind: "request", parts: [{ kind: "user-prompt", content: prose(at, 120) }] };
    if (inTurn === 9) return { kind: "response", parts: [{ kind: "text", content: prose(at, 600) }] };
    if (inTurn % 2 === 1)
      return {
        kind: "response",
        parts: [
          { kind: "thinking", content: prose(at, 300), signature: "c2lnbmF0dXJl" },
          ...callNumbers(at).map((call) => ({
            kind: "tool-call" as const,
            ...call,
            args: { filepath: prose(at, 30) },
          })),
        ],
      };
    return {
      kind: "request",
      parts: callNumbers(at - 1).map((call) => ({
        kind: "tool-return",
        ...call,
        content: prose(at, 1_000 + ((at * 37) % 1_000)),
      })),
    };
  });
}

/** Two calls in every third response. */
function callNumbers(at: number): { toolCallId: string; toolName: string }[] {
  const calls = [{ toolCallId: `call_${at}_a`, toolName: "read_file" }];
  return at % 3 === 0 ? [...calls, { toolCallId: `call_${at}_b`, toolName: "grep" }] : calls;
}

/** One message in eight is lost, doubled, robbed of its ids or changes places with its neighbour. */
function damage(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, at) => {
    const next = messages[at + 1] ?? message;
    const before = messages[at - 1] ?? message;
    switch (at % 40) {
      case 3:
        return [];
      case 12:
        return [message, message];
      case 21:
        return [withoutIds(message)];
      case 29:
        return [next];
      case 30:
        return [before];
      default:
        return [message];
    }
  });
}

function withoutIds(message: Message): Message {
  const rename = <P extends Message["parts"][number]>(part: P): P =>
    part.kind === "tool-call" || part.kind === "tool-return" ? { ...part, toolCallId: "" } : part;
  return message.kind === "request"
    ? { ...message, parts: message.parts.map(rename) }
    : { ...message, parts: message.parts.map(rename) };
}

function prose(seed: number, length: number): string {
  return `line ${seed}: const value = read("file");\n`.repeat(Math.ceil(length / 30)).slice(0, length);
}
