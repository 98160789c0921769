import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import type { Model } from "../domain/model.ts";
import { createModel } from "./create-model.ts";

const STREAM = [
  { choices: [{ index: 0, delta: { content: "ok" } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join("");

let server: Server;
let url = "";
let connections = 0;
let keys: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(STREAM);
    });
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
});
afterAll(() => server.close());

const create = (key: string) =>
  createModel("mine:m", {
    env: { MY_KEY: key },
    providers: { mine: { api: "openai-chat", baseUrl: url, apiKeyEnv: "MY_KEY" } },
  });

async function call(model: Model): Promise<void> {
  const messages = [{ kind: "request" as const, parts: [{ kind: "user-prompt" as const, content: "hi" }] }];
  const request = { system: "s", messages, tools: [] };
  for await (const event of model.stream(request, new AbortController().signal)) expect(event).toBeDefined();
}

test("a model keeps its connection from call to call, until it is dropped", async () => {
  const model = await create("key-one");
  await call(model);
  await call(model);
  expect(connections).toBe(1);
  model.drop?.();
  await call(model);
  expect(connections).toBe(2);
});

test("another key is another client", async () => {
  keys = [];
  await call(await create("key-one"));
  await call(await create("key-two"));
  expect(keys).toEqual(["Bearer key-one", "Bearer key-two"]);
});
