// A vendor that refuses a conversation for what it holds, from some moment on: the next request is answered in a simpler
// form, the one after it at once, and nothing leaves the conversation. Refusals about anything else cost one request.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { piecesOf } from "../support/body-pieces.ts";
import { seededRandom } from "../support/random.ts";
import { REFUSED_CONTENT, type RefusedContent } from "../support/refused-content.ts";
import {
  type RecordedRequest,
  type StrictServer,
  startStrictServer,
} from "../support/strict-llm-server/server.ts";
import { answer, call, refuse, type Turn, text, thought } from "../support/strict-llm-server/turn.ts";
import { type Asked, GOOD_IMAGE, image, WIRES, wedgedSession } from "../support/wedged-session.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const MOST_REQUESTS = 5;

setDefaultTimeout(60_000);

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.stop());

const all = REFUSED_CONTENT.flatMap((refused) => WIRES.map((wire) => [refused.name, wire, refused] as const));
const random = seededRandom(15);
// Every kind on one wire, and another one in the long mode on all of them.
const cases = LONG
  ? all
  : REFUSED_CONTENT.map((refused) => [refused.name, random.pick(WIRES), refused] as const);

test("at least 30 kinds are refused", () => {
  expect(REFUSED_CONTENT.length).toBeGreaterThanOrEqual(30);
});

test.each(cases)("refuses %s, on %s", async (_, wire, refused) => {
  using session = await wedgedSession(server, wire);
  const before = session.messages().length;
  server.script((request) => vendorTurn(request, refused));

  const first = await session.ask("Go on.");
  expect(summary(first)).toBe("completed");
  expect(first.requests.length).toBeGreaterThan(1);
  expect(first.requests.length).toBeLessThanOrEqual(MOST_REQUESTS);
  expect(first.summaries).toBeLessThanOrEqual(1);
  expect(first.notices).toHaveLength(first.requests.length - 1);

  const second = await session.ask("And on.");
  expect([summary(second), second.requests.length, second.notices]).toEqual(["completed", 1, []]);

  const third = await session.ask(image(GOOD_IMAGE, "image/jpeg"));
  expect(summary(third)).toBe("completed");
  expect(third.requests.length).toBeLessThanOrEqual(refused.returns ? 2 : 1);
  expect(third.requests[0]?.text).toContain(GOOD_IMAGE);

  const fourth = await session.ask("Once more.");
  expect([summary(fourth), fourth.requests.length]).toEqual(["completed", 1]);

  const requests = [first, second, third, fourth].flatMap((asked) => asked.requests);
  expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
  // Nothing left the conversation: four prompts and four answers have joined it.
  expect(session.messages()).toHaveLength(before + 8);
});

test.each([
  ["the key", refuse(401, { message: "Incorrect API key provided." }), "auth"],
  [
    "the credit",
    refuse(400, { message: "Your credit balance is too low to access the API." }),
    "provider_error",
  ],
  ["the model", refuse(404, { message: "The model does not exist." }), "model_not_found"],
  ["the model, with a 400", refuse(400, { message: "some-model is not a valid model ID" }), "provider_error"],
  ["a parameter", refuse(400, { message: "temperature: range: 0..1" }), "provider_error"],
  ["the length of the answer", refuse(400, { message: "max_tokens: 99999 > 8192" }), "provider_error"],
])("a refusal because of %s costs one request and says so", async (_, turn, code) => {
  for (const wire of LONG ? WIRES : [random.pick(WIRES)]) {
    using session = await wedgedSession(server, wire);
    server.script(() => turn);
    const asked = await session.ask("Go on.");
    expect(summary(asked)).toStartWith(`${code}: `);
    expect(summary(asked)).toContain(turn.message ?? "");
    expect([asked.requests.length, asked.summaries, asked.notices]).toEqual([1, 0, []]);
  }
});

test("a vendor that takes nothing: one error, and the next request begins anew", async () => {
  using session = await wedgedSession(server, "anthropic");
  server.script(() => refuse(400, { message: "Bad request" }));
  const asked = await session.ask("Go on.");
  expect(summary(asked)).toStartWith("provider_error: ");
  expect(asked.requests.length).toBeLessThanOrEqual(MOST_REQUESTS);
  server.script(() => answer("Here I am."));
  const next = await session.ask("And now?");
  expect([summary(next), next.requests.length]).toEqual(["completed", 1]);
  // Nothing was left out for good.
  expect(
    piecesOf("anthropic", next.requests[0]?.body ?? {}).filter(({ kind }) => kind === "image"),
  ).toHaveLength(3);
});

test("another provider gets everything whole", async () => {
  using session = await wedgedSession(server, "anthropic");
  server.script((request) => vendorTurn(request, everythingButText()));
  expect(summary(await session.ask("Go on."))).toBe("completed");
  server.script(() => answer("Here I am."));
  const other = await session.ask("And you?", "openai-responses");
  const kinds = piecesOf("openai-responses", other.requests[0]?.body ?? {}).map(({ kind }) => kind);
  expect([kinds.filter((kind) => kind === "image").length, kinds.includes("call")]).toEqual([3, true]);
  const back = await session.ask("Back again.", "anthropic");
  expect(
    back.requests.map(({ body }) => piecesOf("anthropic", body).some(({ kind }) => kind !== "text")),
  ).toEqual([false]);
});

test("a vendor that refuses calls can still be worked with", async () => {
  using session = await wedgedSession(server, "openai-chat");
  const steps = 6;
  let taken = 0;
  server.script((request) => {
    const turn = vendorTurn(request, everythingButText());
    if (turn.kind === "refuse" || taken >= steps) return turn;
    taken++;
    return answer(call("read_file", { filepath: "a.txt", offset: taken }));
  });
  const asked = await session.ask("Read it.");
  expect(summary(asked)).toBe("completed");
  // Once for the conversation, and once more to learn that new calls are refused as well.
  expect(asked.requests.length).toBeLessThanOrEqual(steps + 1 + 4);
  expect(asked.requests.flatMap(({ problems }) => problems)).toEqual([]);
  expect(asked.requests.at(-1)?.text).toContain("<tool_response>");
});

test("a refusal without a status, inside a stream that says nothing else, is no answer that broke off", async () => {
  using session = await wedgedSession(server, "openai-chat");
  const refusal = 'data: {"error": {"message": "image input is not supported"}}\n\n';
  server.script(({ wire, body }) =>
    piecesOf(wire, body).some(({ kind }) => kind === "image")
      ? { ...answer("never"), inject: [{ beforeEvent: 0, text: refusal }] }
      : answer("Here I am."),
  );
  const asked = await session.ask("Go on.");
  expect([summary(asked), asked.requests.length]).toEqual(["completed", 2]);
}, 30_000);

test("nothing is left out once an answer has begun", async () => {
  using session = await wedgedSession(server, "openai-responses");
  const failure = { afterEvents: 8, status: 400, message: "Could not process image", code: "invalid_image" };
  server.script(() => ({ ...answer(text("Some words of an answer.", 4)), failure }));
  const asked = await session.ask("Go on.");
  expect(asked.outcome.type).toBe("failed");
  expect(asked.notices.filter((notice) => notice.includes("left out"))).toEqual([]);
});

function everythingButText(): RefusedContent {
  const found = REFUSED_CONTENT.find(({ name }) => name === "everything but text");
  if (found === undefined) throw new Error("There is no such kind.");
  return found;
}

function vendorTurn({ wire, body, text }: RecordedRequest, refused: RefusedContent): Turn {
  if (text.includes("You condense the record")) return answer("They looked at files.");
  const piece = refused.finds(piecesOf(wire, body));
  return piece === undefined
    ? answer(thought("Hm."), "Here I am.")
    : refuse(refused.status ?? 400, { message: refused.says(piece) });
}

function summary({ outcome }: Asked): string {
  return outcome.type === "failed" ? `${outcome.code}: ${outcome.message}` : outcome.type;
}
