// A session with images, thoughts, calls of all sorts and words that a vendor may refuse from some moment on.
import { openAgent } from "../../src/app/compose.ts";
import { runRequest } from "../../src/app/run-request.ts";
import type { Content } from "../../src/domain/content.ts";
import type { AgentEvent, Outcome } from "../../src/domain/event.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Wire } from "../../src/models/settings.ts";
import { JPEG, OTHER_PNG, PNG, WEBP_LOSSY } from "./small-images.ts";
import type { RecordedRequest, StrictServer } from "./strict-llm-server/server.ts";
import { answer, call, type Turn, thought } from "./strict-llm-server/turn.ts";
import { type TempWorkspace, tempWorkspace } from "./temp-workspace.ts";
import { TEST_KEY } from "./vendor-path.ts";

/** Never refused for what it is. */
export const GOOD_IMAGE = JPEG.toString("base64");

/** All of them send thinking back. */
const PROVIDERS: Readonly<Record<Wire, readonly [provider: string, model: string]>> = {
  "openai-responses": ["openai", "gpt-5.4"],
  anthropic: ["anthropic", "claude-sonnet-4-5"],
  google: ["google", "gemini-3-pro"],
  "openai-chat": ["deepseek", "deepseek-v4-pro"],
};

const LONGEST_PAUSE_MS = 60_000;

export const WIRES = Object.keys(PROVIDERS) as readonly Wire[];

export interface Asked {
  readonly outcome: Outcome;
  readonly notices: readonly string[];
  /** The model calls of this request; summaries are not among them. */
  readonly requests: readonly RecordedRequest[];
  readonly summaries: number;
}

export interface WedgedSession {
  /** Each in a process of its own, as `run -c` would: the session is opened, asked and closed. */
  readonly ask: (content: Content, onWire?: Wire) => Promise<Asked>;
  readonly messages: () => readonly Message[];
  readonly [Symbol.dispose]: () => void;
}

export function image(data: string, mediaType: string): Content {
  return [
    { type: "text", text: "Look at this." },
    { type: "image", mediaType, data },
  ];
}

/** Two requests are done; the vendor has taken everything so far. */
export async function wedgedSession(server: StrictServer, wire: Wire): Promise<WedgedSession> {
  const place = tempWorkspace({
    "project/a.txt": "three tuna <|im_end|>\n",
    "home/.keep": "",
  });
  await Bun.write(place.path("project/picture.png"), OTHER_PNG);
  let messages: readonly Message[] = [];
  const ask = async (content: Content, onWire = wire): Promise<Asked> => {
    const first = server.requests.length;
    const done = await askOnce(content, server, onWire, place);
    messages = done.messages;
    const requests = server.requests.slice(first);
    const calls = requests.filter(({ text }) => !text.includes("You condense the record"));
    return { ...done, requests: calls, summaries: requests.length - calls.length };
  };
  const pictures = [
    { type: "image", mediaType: "image/png", data: PNG.toString("base64") },
    { type: "image", mediaType: "image/webp", data: WEBP_LOSSY.toString("base64") },
  ] as const;
  server.script(FIRST);
  await ask([{ type: "text", text: "Look at these." }, ...pictures]);
  server.script(SECOND);
  await ask("The word is zanzibar.");
  return { ask, messages: () => messages, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

const FIRST: readonly Turn[] = [
  answer(thought("Look first."), call("read_file", { filepath: "a.txt" }), call("list_dir", {})),
  answer(thought("Then this."), call("read_file", { filepath: "picture.png" })),
  answer(thought("Seen."), "Done. <|endoftext|>"),
];

const SECOND: readonly Turn[] = [
  answer(thought("Try."), call("read_file", { filepath: "missing.txt", "odd-ключ": [[1, { a: null }]] })),
  answer(thought("No."), call("read_file", { filepath: "missing.txt" })),
  answer(thought("Enough."), "The second answer."),
];

async function askOnce(content: Content, server: StrictServer, wire: Wire, place: TempWorkspace) {
  const [provider, model] = PROVIDERS[wire];
  const baseUrl = wire === "google" ? server.url : `${server.url}/v1`;
  const agent = await openAgent({
    cwd: place.path("project"),
    env: { HOME: place.path("home"), VENDOR_KEY: TEST_KEY },
    session: { type: "continue" },
    models: {
      asked: `${provider}:${model}`,
      providers: { [provider]: { api: wire, baseUrl, apiKeyEnv: "VENDOR_KEY" } },
      maxRetries: 0,
      thinking: "low",
    },
    permission: { mode: "ask", rules: [], sandbox: "off" },
    trusted: false,
    notify: () => {},
  });
  const { session, ports } = agent.manager;
  // Pauses between attempts are skipped; deadlines, which are longer, stay.
  const sleep = (ms: number, signal?: AbortSignal) =>
    ports.clock.sleep(ms < LONGEST_PAUSE_MS ? 0 : ms, signal);
  const manager = { session, ports: { ...ports, clock: { ...ports.clock, sleep } } };
  const running = runRequest(content, `${provider}:${model}`, manager);
  const events: AgentEvent[] = [];
  while (true) {
    const next = await running.next();
    if (!next.done) {
      events.push(next.value);
      continue;
    }
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    const messages = session.conversation.messages.slice();
    await agent.close();
    return { outcome: next.value, notices, messages };
  }
}
