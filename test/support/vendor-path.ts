// Every path from our model port to a vendor's wire, on a strict server, and the result of one call on it.
import { findCalls } from "../../src/dispatch/find-calls.ts";
import { TunacodeError } from "../../src/domain/error.ts";
import { callsOf, type Message, type Response } from "../../src/domain/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/domain/model.ts";
import type { RequestPart, ResponsePart } from "../../src/domain/part.ts";
import type { ToolSpec } from "../../src/domain/tool.ts";
import type { Usage } from "../../src/domain/usage.ts";
import { createModel } from "../../src/models/create-model.ts";
import type { Fetch, ModelSettings, Wire } from "../../src/models/settings.ts";
import { freezeMessages } from "./deep-frozen.ts";

export interface VendorPath {
  readonly name: string;
  readonly wire: Wire;
  /** The provider's name in the history. */
  readonly provider: string;
  readonly model: string;
  /** Sends thinking back to the model it came from. */
  readonly returnsThoughts: boolean;
  readonly create: (url: string, settings?: Partial<ModelSettings>, model?: string) => Promise<Model>;
}

export const TEST_KEY = "sk-test-0123456789";

export const VENDOR_PATHS: readonly VendorPath[] = [
  path("openai-responses", "openai", "gpt-5.4", (url) => ({
    providers: { openai: { api: "openai-responses", baseUrl: `${url}/v1` } },
  })),
  path("anthropic", "anthropic", "claude-sonnet-4-5", (url) => ({ baseUrl: url })),
  path("google", "google", "gemini-3-pro", (url) => ({ baseUrl: url })),
  path("openai-chat", "deepseek", "deepseek-v4-pro", (url) => ({ baseUrl: `${url}/v1` })),
  path("openai-chat", "groq", "openai/gpt-oss-120b", (url) => ({ baseUrl: `${url}/v1` }), false),
  // The vendor's own Chat Completions use another package, which is chosen by the address.
  path(
    "openai-chat",
    "openai",
    "gpt-4.1",
    (url) => ({
      providers: { openai: { api: "openai-chat" } },
      fetch: detour("https://api.openai.com", url),
    }),
    false,
  ),
];

function path(
  wire: Wire,
  provider: string,
  model: string,
  at: (url: string) => Partial<ModelSettings>,
  returnsThoughts = true,
): VendorPath {
  return {
    name: `${provider} by ${wire}`,
    wire,
    provider,
    model,
    returnsThoughts,
    create: (url, settings = {}, otherModel = model) =>
      createModel(`${provider}:${otherModel}`, {
        env: KEYS,
        maxRetries: 0,
        backoff: { firstMs: 5, mostMs: 20 },
        ...at(url),
        ...settings,
      }),
  };
}

const KEYS = Object.fromEntries(
  ["OPENAI", "ANTHROPIC", "GEMINI", "DEEPSEEK", "GROQ"].map((name) => [`${name}_API_KEY`, TEST_KEY]),
);

function detour(from: string, to: string): Fetch {
  return (input, init) => fetch(String(input).replace(from, to), init);
}

export interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly thoughts: string;
  /** As it joins the conversation. */
  readonly response: Response;
  readonly usage: Usage | undefined;
  readonly finish: string | undefined;
  /** The error that the call threw. */
  readonly error: TunacodeError | undefined;
}

/** Runs one call to its end. `onEvent` may abort it. */
export async function callModel(
  model: Model,
  request: Partial<ModelRequest>,
  { signal = new AbortController().signal, onEvent = (_: ModelEvent) => {} } = {},
): Promise<Outcome> {
  const whole = { system: SYSTEM, messages: [user("hi")], tools: TOOLS, ...request };
  const events: ModelEvent[] = [];
  let error: TunacodeError | undefined;
  try {
    freezeMessages(whole.messages);
    for await (const event of model.stream(whole, signal)) {
      events.push(event);
      onEvent(event);
    }
  } catch (thrown) {
    // Any other error is a bug.
    if (!(thrown instanceof TunacodeError)) throw thrown;
    error = thrown;
  }
  const { response, ...said } = summary(events);
  const taken = new Set(
    whole.messages
      .flatMap((message) => (message.kind === "response" ? callsOf(message) : []))
      .map((call) => call.toolCallId),
  );
  const found = findCalls(response, new Map(), (id) => taken.has(id));
  return { ...said, response: found.response, error };
}

function summary(events: readonly ModelEvent[]): Omit<Outcome, "error"> {
  const finish = events.find((event) => event.type === "finish");
  const parts = events.flatMap((event) => (event.type === "part" ? [event.part] : []));
  return {
    events,
    text: joined(events, "text-delta"),
    thoughts: joined(events, "thought-delta"),
    response: {
      kind: "response",
      parts,
      ...(finish?.providerName !== undefined && { providerName: finish.providerName }),
      ...(finish?.modelName !== undefined && { modelName: finish.modelName }),
    },
    usage: events.find((event) => event.type === "usage")?.usage,
    finish: finish?.reason,
  };
}

function joined(events: readonly ModelEvent[], type: "text-delta" | "thought-delta"): string {
  return events.map((event) => (event.type === type ? event.text : "")).join("");
}

export const SYSTEM = "You are a careful coder.\n\n# AGENTS.md\nUse tabs.";

export const TOOLS: readonly ToolSpec[] = ["read_file", "bash"].map((name) => ({
  name,
  description: `The tool ${name}.`,
  parameters: {
    type: "object",
    properties: { filepath: { type: "string" }, command: { type: "string" } },
    additionalProperties: false,
  },
}));

export function user(content: string): Message {
  return { kind: "request", parts: [{ kind: "user-prompt", content }] };
}

/** The messages of a body as text. */
export function conversationOf(body: string): string {
  const { messages, input, contents } = JSON.parse(body);
  return JSON.stringify(messages ?? input ?? contents);
}

export function withoutCacheMarks(body: string): string {
  return body.replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, "");
}

/** The returns to a response's calls, and the other parts of the next request. */
export function returns(
  { parts }: { readonly parts: readonly ResponsePart[] },
  ...more: RequestPart[]
): Message {
  const answers = parts.flatMap((part) =>
    part.kind === "tool-call"
      ? [
          {
            kind: "tool-return" as const,
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            content: `result of ${JSON.stringify(part.args)}`,
          },
        ]
      : [],
  );
  return { kind: "request", parts: [...answers, ...more] };
}
