// What is refused before any model is asked, in each vendor's own shape.
import { afterEach, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/base/json.ts";
import { post, refusal } from "./post.ts";
import { type StrictServer, type StrictServerOptions, startStrictServer } from "./server.ts";
import { WIRES, type Wire } from "./wire.ts";

const running: StrictServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(options: StrictServerOptions = {}): Promise<StrictServer> {
  const server = await startStrictServer(options);
  running.push(server);
  return server;
}

const BIG = "x".repeat(30_000);
const big = (wire: Wire): JsonObject => {
  const model = { model: "tiny-window" };
  const message = { role: "user", content: BIG };
  if (wire === "google") return { contents: [{ role: "user", parts: [{ text: BIG }] }] };
  if (wire === "openai-responses") return { ...model, input: [message] };
  return { ...model, messages: [message], ...(wire === "anthropic" ? { max_tokens: 9 } : {}) };
};

const VERDICTS: Readonly<Record<Wire, Readonly<Record<string, string>>>> = {
  "openai-chat": {
    key: "401 | invalid_request_error | invalid_api_key | Incorrect API key",
    none: "401 | invalid_request_error |  | You didn't provide an API key",
    model: "404 | invalid_request_error | model_not_found | The model `no-such-model` does not exist",
    window:
      "400 | invalid_request_error | context_length_exceeded | This model's maximum context length is 5000",
    json: "400 | invalid_request_error |  | We could not parse the JSON body",
    grammar: "400 | invalid_request_error | empty_array | Invalid 'messages'",
  },
  "openai-responses": {
    key: "401 | invalid_request_error | invalid_api_key | Incorrect API key",
    none: "401 | invalid_request_error |  | You didn't provide an API key",
    model: "404 | invalid_request_error | model_not_found | The model `no-such-model` does not exist",
    window: "400 | invalid_request_error | context_length_exceeded | Your input exceeds the context window",
    json: "400 | invalid_request_error |  | We could not parse the JSON body",
    grammar: "400 | invalid_request_error | missing_required_parameter |",
  },
  anthropic: {
    key: "401 | authentication_error |  | invalid x-api-key",
    none: "401 | authentication_error |  | x-api-key header is required",
    model: "404 | not_found_error |  | model: no-such-model",
    window: "400 | invalid_request_error |  | prompt is too long: ",
    json: "400 | invalid_request_error |  | The request body is not valid JSON",
    grammar: "400 | invalid_request_error |  | messages: at least one message is required",
  },
  google: {
    key: "400 | INVALID_ARGUMENT | 400 | API key not valid",
    none: "403 | PERMISSION_DENIED | 403 | Method doesn't allow unregistered callers",
    model: "404 | NOT_FOUND | 404 | models/no-such-model is not found",
    window: "400 | INVALID_ARGUMENT | 400 | The input token count (",
    json: "400 | INVALID_ARGUMENT | 400 | Invalid JSON payload received",
    grammar: "400 | INVALID_ARGUMENT | 400 | * GenerateContentRequest.contents",
  },
};

for (const wire of WIRES) {
  test(`${wire}: key, model, window, JSON and grammar are refused in the vendor's own shape`, async () => {
    const server = await start();
    const list = wire === "openai-responses" ? "input" : wire === "google" ? "contents" : "messages";
    const empty = { model: "m", max_tokens: 9, [list]: [] };
    const { max_tokens: _, model: __, ...bare } = empty;
    const body = wire === "google" ? bare : wire === "openai-responses" ? { ...bare, model: "m" } : empty;
    const got = {
      key: await refusal(await post(server.url, wire, { key: "bad-key" })),
      none: await refusal(await post(server.url, wire, { key: "" })),
      model: await refusal(await post(server.url, wire, { model: "no-such-model" })),
      window: await refusal(await post(server.url, wire, { body: big(wire), model: "tiny-window" })),
      json: await refusal(await post(server.url, wire, { body: "{" })),
      grammar: await refusal(await post(server.url, wire, { body })),
    };
    for (const [what, line] of Object.entries(VERDICTS[wire])) {
      expect(got[what as keyof typeof got]).toStartWith(line);
    }
    expect(server.requests.map(({ problems }) => problems.length > 0)).toEqual(Array(6).fill(true));
  });
}

test("too large a body is a 413 where the vendor has one", async () => {
  const server = await start({ maxBytes: 1000 });
  const statuses = await Promise.all(
    WIRES.map(async (wire) => (await post(server.url, wire, { body: big(wire) })).status),
  );
  expect(statuses).toEqual([413, 413, 413, 400]);
});

test("Anthropic insists on its version header", async () => {
  const server = await start();
  const headers = { "x-api-key": "k" };
  const response = await fetch(`${server.url}/v1/messages`, { method: "POST", headers, body: "{}" });
  expect(await refusal(response)).toContain("anthropic-version: header is required");
});

test("a path that isn't there is a 404, a doubled /v1 too", async () => {
  const server = await start();
  const response = await fetch(`${server.url}/v1/v1/messages`, { method: "POST", body: "{}" });
  expect(response.status).toBe(404);
});

test("the list of models needs a key, except on a local server", async () => {
  const strict = await start({ models: ["a", "b"] });
  const local = await start({ needsKey: false });
  expect((await fetch(`${strict.url}/v1/models`)).status).toBe(401);
  expect((await (await fetch(`${local.url}/v1/models`)).json()).data[0].id).toBe("strict-model");
  const google = await fetch(`${strict.url}/v1beta/models?key=k`);
  expect((await google.json()).models.map(({ name }: { name: string }) => name)).toEqual([
    "models/a",
    "models/b",
  ]);
});

test("the Responses API can report an overflow inside the stream", async () => {
  const server = await start();
  const body = { ...big("openai-responses"), model: "tiny-window-in-stream", stream: true };
  const response = await post(server.url, "openai-responses", { body });
  expect(response.status).toBe(200);
  const words = await response.text();
  expect(words.match(/^event: .*/gm)).toEqual([
    "event: response.created",
    "event: response.in_progress",
    "event: response.failed",
  ]);
  expect(words).toContain("context_length_exceeded");
});
