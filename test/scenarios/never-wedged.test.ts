// A vendor that refuses a conversation for what it holds, from some moment on: the next request is answered in a simpler
// form, the one after it at once, and nothing leaves the conversation. Refusals about anything else cost one request.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { piecesOf } from "../support/body-pieces.ts";
import { seededRandom } from "../support/random.ts";
import { REFUSED_CONTENT, type RefusedContent } from "../support/refused-content.ts";
import {
  type RecordedRequest,
  type StrictServer,
  startStrictServer,
} from "../support/strict-llm-server/server.ts";
import { answer, refuse, type Turn, thought } from "../support/strict-llm-server/turn.ts";
import { type Asked, GOOD_IMAGE, image, WIRES, wedgedSession } from "../support/wedged-session.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const MOST_REQUESTS = 5;

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
