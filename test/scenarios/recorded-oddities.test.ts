// Recorded messages that can't be sent as they are: something that a vendor attached and that we, its package or our
// gate don't know, or an image that is none. The next request is answered, and the one after it without another word.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { memoryStateManager } from "../../src/app/agent.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { Conversation } from "../../src/domain/conversation.ts";
import type { Message } from "../../src/domain/message.ts";
import type { RequestPart, ResponsePart } from "../../src/domain/part.ts";
import { newSessionState } from "../../src/session/state.ts";
import { PNG } from "../support/small-images.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer } from "../support/strict-llm-server/turn.ts";
import { VENDOR_PATHS, type VendorPath } from "../support/vendor-path.ts";

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.stop());

const text = (providerDetails: object): ResponsePart =>
  part({ kind: "text", content: "Said.", providerDetails });
const thinking = (providerDetails: object): ResponsePart[] => [
  part({ kind: "thinking", content: "Hm.", providerDetails }),
  { kind: "text", content: "Said." },
];

/** As read from a file, where anything may stand. */
function part(value: object): ResponsePart {
  return value as ResponsePart;
}

const CASES: readonly (readonly [what: string, provider: string, parts: readonly ResponsePart[]])[] = [
  ["a block type that we don't know", "anthropic", [text({ anthropic: { type: "compaction" } })]],
  ["a signature that is no text", "anthropic", thinking({ anthropic: { signature: 5 } })],
  ["reasoning with a wrong id", "openai", thinking({ openai: { itemId: 5, reasoningEncryptedContent: [] } })],
  ["a signature that is none", "google", [text({ google: { thoughtSignature: "%%%" } })]],
];

test.each(CASES)("%s (%s)", async (_, provider, parts) => {
  const path = VENDOR_PATHS.find((found) => found.provider === provider);
  if (path === undefined) throw new Error("There is no such vendor.");
  const asked = await askTwice(path, { kind: "user-prompt", content: "One." }, parts);
  expect(asked.outcomes).toEqual(["completed", "completed"]);
  expect(asked.requests.flatMap(({ problems }) => problems.map(() => "refused")).length).toBeLessThanOrEqual(
    4,
  );
  expect(asked.noticesLater).toEqual([]);
});

test.each(VENDOR_PATHS.map((path) => [path.name, path] as const))(
  "8 bytes of a PNG, on %s",
  async (_, path) => {
    const data = PNG.subarray(0, 8).toString("base64");
    const content = [{ type: "image", mediaType: "image/png", data } as const];
    const asked = await askTwice(path, { kind: "user-prompt", content }, [
      { kind: "text", content: "Said." },
    ]);
    expect([asked.outcomes, asked.requests.length]).toEqual([["completed", "completed"], 2]);
    expect(asked.requests[0]?.text).toContain("[An image (image/png) is not shown: it is damaged.]");
  },
);

async function askTwice(path: VendorPath, prompt: RequestPart, parts: readonly ResponsePart[]) {
  const model = await path.create(server.url);
  const messages: Message[] = [
    { kind: "request", parts: [prompt] },
    { kind: "response", parts, providerName: path.provider, modelName: path.model },
  ];
  const place = { sessionId: "s", projectId: "p", workingDirectory: "/", model: model.name, now: "" };
  const session = { ...newSessionState(place), conversation: new Conversation(messages) };
  const manager = memoryStateManager({ createModel: async () => model }, session);
  const first = server.requests.length;
  server.script(() => answer("Here I am."));
  const outcomes: string[] = [];
  let notices: string[] = [];
  for (const words of ["Two.", "Three."]) {
    notices = [];
    for await (const event of runRequest(words, model, manager)) {
      if (event.type === "notice") notices.push(event.text);
      if (event.type === "request-end") outcomes.push(event.outcome.type);
    }
  }
  return { outcomes, requests: server.requests.slice(first), noticesLater: notices };
}
