// Tools and, in the built program, the vendors' packages have a quick zod. Whatever they ask of it, it says what the real
// one would: schema by schema, for each tool, and in the packages themselves with all that a vendor could send.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import fc from "fast-check";
import * as real from "zod/v4";
import { ROOT } from "../../scripts/build.ts";
import { SCHEMAS } from "../../scripts/compile-parameters.ts";
import { vendorZod } from "../../scripts/vendor-zod.ts";
import { z } from "../../src/base/quick-zod.ts";
import type { ResolvedProvider } from "../../src/models/resolve-provider.ts";
import type { Wire } from "../../src/models/settings.ts";
import * as plain from "../../src/models/vendors.ts";
import { damagedEvents } from "../support/damaged-events.ts";
import { generatedSchema, nearValue } from "../support/generated-schemas.ts";
import { generatedStream } from "../support/generated-streams.ts";
import { zodCalls } from "../support/zod-calls.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const TIMEOUT_MS = LONG ? 3_600_000 : 60_000;

for (const name of ["openai-compatible", "openai", "anthropic", "google"])
  test(`everything that @ai-sdk/${name} uses is there`, () => {
    const file = join(ROOT, "node_modules", "@ai-sdk", name, "dist", "index.js");
    const { makers, methods } = zodCalls(readFileSync(file, "utf8"));
    expect(makers.size * methods.size).toBeGreaterThan(0);
    const any: object = z.any();
    expect([...makers].filter((maker) => !has(z, maker))).toEqual([]);
    expect([...methods].filter((method) => !(method in any))).toEqual([]);
  });

test(
  "a schema accepts, refuses and returns what zod's does",
  () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(generatedSchema, fc.infiniteStream(fc.nat()), (description, choices) => {
        const next = () => choices.next().value ?? 0;
        for (let round = 0; round < 8; round++) {
          const value = nearValue(description, next);
          const wanted = real.safeParse(description.make(real.z), value);
          const got = description.make(z as unknown as typeof real.z).safeParse(value);
          expect([got.success, got.data]).toStrictEqual([wanted.success, wanted.data]);
          if (wanted.success) accepted += 1;
          else refused += 1;
        }
      }),
      { numRuns: LONG ? 50_000 : 500 },
    );
    console.log(`${accepted} values accepted, ${refused} refused`);
    expect(Math.min(accepted, refused)).toBeGreaterThan(LONG ? 50_000 : 500);
  },
  TIMEOUT_MS,
);

for (const [name, makeSchema] of Object.entries(SCHEMAS))
  test(`${name}: arguments are judged as by zod`, () => {
    const wanted = makeSchema(real.z);
    const got = makeSchema(z as unknown as typeof real.z);
    const keys = fc.constantFrom(...Object.keys(wanted.shape), "more");
    const value = fc.oneof(fc.string(), fc.integer({ min: -9, max: 2_000 }), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(keys, value), fc.jsonValue()), (args) => {
        const { success, data } = real.safeParse(wanted, args);
        const ours = got.safeParse(args);
        expect([ours.success, ours.data]).toStrictEqual([success, data]);
      }),
      { numRuns: LONG ? 20_000 : 300 },
    );
  });

test("of a choice, what is wrong with the one that is meant is told", () => {
  const text = z.object({ type: z.literal("text"), text: z.string() });
  const call = z.object({ type: z.literal("call"), name: z.string(), index: z.number() });
  const refusal = (value: unknown) => {
    const result = z.union([text, call]).safeParse(value);
    return result.success ? "accepted" : result.error.message;
  };
  expect(refusal({ type: "call", name: 5, index: 0 })).toBe("name: expected text, got a number");
  expect(refusal({ type: "text" })).toBe("text: expected text, got nothing");
  expect(refusal({ type: "image" })).toBe("type: is none that is known");
  expect(refusal(7)).toBe("expected an object, got a number");
});

interface Path {
  readonly title: string;
  readonly provider: ResolvedProvider;
  readonly options?: LanguageModelV4CallOptions["providerOptions"];
}

const PATHS: readonly Path[] = [
  { title: "chat servers", provider: providerOf("groq", "openai-chat") },
  { title: "OpenAI by chat", provider: providerOf("openai", "openai-chat") },
  {
    title: "OpenAI by Responses",
    provider: providerOf("openai", "openai-responses"),
    options: { openai: { store: false, promptCacheKey: "key", reasoningSummary: "auto" } },
  },
  {
    title: "Anthropic",
    provider: providerOf("anthropic", "anthropic"),
    options: { anthropic: { toolStreaming: true } },
  },
  {
    title: "Google",
    provider: providerOf("google", "google"),
    options: { google: { thinkingConfig: { includeThoughts: true } } },
  },
];

const ERRORS = [
  ...[
    '{"error":{"message":"no","type":"t","code":7,"param":null,"status":"S"}}',
    '{"error":"no"}',
    "{}",
    "no",
  ],
  ...['{"type":"error","error":{"type":"overloaded_error","message":"no"}}', '{"error":{"message":1}}'],
];

describe("in the vendors' packages", () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-vendors-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const shipped = packed(folder);

  for (const { title, provider, options } of PATHS)
    test(
      `${title}: the same from every stream`,
      async () => {
        let answer: () => Response = () => new Response();
        const bodies: unknown[] = [];
        const send = async (_url: unknown, init?: RequestInit) => {
          bodies.push(init?.body);
          return answer();
        };
        const ours = await (await shipped).loadVendor(provider, "model", send);
        const theirs = await plain.loadVendor(provider, "model", send);
        const bothSay = async () => {
          const [wanted, got] = [await everything(theirs, options), await everything(ours, options)];
          expect(got).toEqual(wanted);
          expect(bodies.at(-1)).toEqual(bodies.at(-2));
          return wanted;
        };
        let refusals = 0;
        await fc.assert(
          fc.asyncProperty(
            generatedStream(provider.wire),
            fc.infiniteStream(fc.nat()),
            async (frames, choices) => {
              for (const stream of [frames, damagedEvents(frames, () => choices.next().value ?? 0)]) {
                answer = () => eventStream(stream.join(""));
                const said = JSON.stringify(await bothSay());
                if (said.includes("AI_TypeValidationError")) refusals += 1;
              }
            },
          ),
          { numRuns: LONG ? 20_000 : 60 },
        );
        expect(refusals).toBeGreaterThan(0);
        for (const body of ERRORS) {
          answer = () => new Response(body, { status: 400, headers: { "content-type": "application/json" } });
          await bothSay();
        }
      },
      TIMEOUT_MS,
    );
});

function providerOf(name: string, wire: Wire): ResolvedProvider {
  const address = { name, wire, baseUrl: "http://127.0.0.1:1/v1", atVendor: true };
  return { ...address, apiKey: "key", keyNames: [], local: false, entry: {} };
}

/** loadVendor as the built program has it. */
async function packed(folder: string): Promise<typeof plain> {
  const built = await Bun.build({
    entrypoints: [join(ROOT, "src", "models", "vendors.ts")],
    outdir: folder,
    target: "bun",
    splitting: true,
    plugins: [vendorZod],
  });
  const [entry] = built.outputs.filter(({ kind }) => kind === "entry-point");
  return import(entry?.path ?? "");
}

/** All that one call says, until its end. */
async function everything(
  model: LanguageModelV4,
  providerOptions: LanguageModelV4CallOptions["providerOptions"] = {},
): Promise<unknown[]> {
  const said: unknown[] = [];
  try {
    const { stream } = await model.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
      tools: [{ type: "function", name: "bash", inputSchema: { type: "object" } }],
      providerOptions,
    });
    for await (const part of stream)
      said.push(part.type === "error" ? { ...part, error: withoutWords(part.error) } : withoutChance(part));
  } catch (error) {
    said.push(withoutWords(error));
  }
  return said;
}

/** Why a value was refused is told in other words; what is an error, and of what, is not. */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause: _told, ...details } = { ...error, name: error.name, message: error.message };
  const words = name === "AI_TypeValidationError" ? "" : message;
  return { name, words, ...details };
}

/** Times, and ids the packages make up. */
function withoutChance(part: object): unknown {
  return JSON.parse(
    JSON.stringify(part, (key, value) => (key === "timestamp" || isMadeUp(key, value) ? "" : value)),
  );
}

function isMadeUp(key: string, value: unknown): boolean {
  return /^(id|toolCallId)$/.test(key) && typeof value === "string" && /^[A-Za-z0-9]{16}$/.test(value);
}

function eventStream(body: string): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function has(holder: object, path: string): boolean {
  let found: unknown = holder;
  for (const key of path.split(".")) found = Object(found)[key];
  return found !== undefined;
}
