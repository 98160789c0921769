// Scripts and the network's faults, over real sockets.
import { afterEach, expect, test } from "bun:test";
import { prebuilt } from "./frames.ts";
import { piecesOf } from "./pieces.ts";
import { post, refusal } from "./post.ts";
import { type StrictServer, type StrictServerOptions, startStrictServer } from "./server.ts";
import { type Answer, answer, call, type Delivery, emptyBody, htmlPage, refuse, text } from "./turn.ts";
import { WIRES } from "./wire.ts";

const running: StrictServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(options: StrictServerOptions = {}): Promise<StrictServer> {
  const server = await startStrictServer(options);
  running.push(server);
  return server;
}

for (const wire of WIRES) {
  test(`${wire}: the stream is the same in one piece, byte by byte, inside characters, with CRLF`, async () => {
    const turn = answer(text("Grün „日本語“ 👩‍💻", 3), call("bash", { command: "ä" }, { id: "c1" }));
    const deliveries: Delivery[] = [
      { pieces: "whole" },
      { pieces: "byte" },
      { pieces: 7 },
      { pieces: "inside-characters" },
      { pieces: "event" },
      { lineEnd: "\r\n" },
      { lineEnd: "\n" },
      { keepAlive: "keep-alive" },
    ];
    const server = await start({ script: deliveries.map((delivery) => ({ ...turn, delivery })) });
    const seen = new Set<string>();
    for (const _ of deliveries) {
      const words = await (await post(server.url, wire)).text();
      seen.add(
        words
          .replaceAll("\r\n", "\n")
          .replaceAll(": keep-alive\n\n", "")
          .replaceAll(/0{10}\d+|(?<="thoughtSignature":")[^"]+/g, "N"),
      );
    }
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toContain("日本");
  });
}

test("a script is taken turn by turn; refused requests take none", async () => {
  const server = await start({ script: [answer("one"), refuse(429, { headers: { "retry-after": "7" } })] });
  await post(server.url, "anthropic", { body: {} });
  expect(await (await post(server.url, "anthropic")).text()).toContain("one");
  const busy = await post(server.url, "anthropic");
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "7"]);
  expect((await busy.json()).error.type).toBe("rate_limit_error");
  expect(await refusal(await post(server.url, "anthropic"))).toContain("the script has no turn left");
  expect(server.requests.map(({ delivered }) => delivered)).toEqual(["sent", "sent", "sent", "sent"]);
});

test("a proxy's page and an empty body", async () => {
  const server = await start({ script: [htmlPage(502), emptyBody()] });
  const page = await post(server.url, "google");
  expect([page.status, (await page.text()).slice(0, 15)]).toEqual([502, "<!DOCTYPE html>"]);
  expect(await (await post(server.url, "google")).text()).toBe("");
});

test("a connection is closed at once, cut at a byte, or ends too early but cleanly", async () => {
  const cut = (how: "reset" | "end"): Answer => ({
    ...answer("x".repeat(999)),
    delivery: { cut: { atByte: 100, how } },
  });
  const server = await start({ script: [{ kind: "close" }, cut("reset"), cut("end")] });
  expect(post(server.url, "anthropic")).rejects.toThrow();
  while (server.requests.length === 0) await Bun.sleep(1);
  const reset = await post(server.url, "anthropic");
  expect(reset.text()).rejects.toThrow();
  expect((await (await post(server.url, "anthropic")).text()).length).toBe(100);
  expect(server.requests.map(({ delivered }) => delivered)).toEqual(["cut", "cut", "cut"]);
});

test("a vendor that never answers notices that the client has left", async () => {
  const server = await start({
    script: [
      { ...answer("late"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } },
      { ...answer("slow"), delivery: { pieces: "byte", betweenPiecesMs: 60_000 } },
    ],
  });
  for (const _ of [1, 2]) {
    const controller = new AbortController();
    const reading = post(server.url, "anthropic", { signal: controller.signal }).then((response) =>
      response.text(),
    );
    setTimeout(() => controller.abort(), 60);
    expect(reading).rejects.toThrow();
    await reading.catch(() => undefined);
  }
  while (server.requests.some(({ delivered }) => delivered === undefined)) await Bun.sleep(1);
  expect(server.requests.map(({ delivered }) => delivered)).toEqual(["client-left", "client-left"]);
});

test("raw text can be put before any event", async () => {
  const inject = [{ beforeEvent: 1, text: "event: strange\ndata: {}\n\n" }];
  const server = await start({ script: [{ ...answer("hi"), inject }] });
  const events = (await (await post(server.url, "anthropic")).text()).match(/^event: .*/gm);
  expect(events?.slice(0, 3)).toEqual([
    "event: message_start",
    "event: strange",
    "event: content_block_start",
  ]);
});

test("a pause falls where it is told", async () => {
  const server = await start({
    script: [{ ...answer("slow"), delivery: { headersAfterMs: 30, pauses: [{ beforeByte: 20, ms: 80 }] } }],
  });
  const begun = performance.now();
  const reader = (await post(server.url, "openai-chat")).body?.getReader();
  expect((await reader?.read())?.value?.length).toBe(20);
  expect((await reader?.read())?.value?.length).toBeGreaterThan(20);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(100);
});

test("a stream built beforehand holds 20,000 deltas", async () => {
  for (const wire of WIRES) {
    const server = await start({ script: [prebuilt(wire, answer(text("word ".repeat(20_000), 5)))] });
    const words = await (await post(server.url, wire)).text();
    expect(words.split("word ").length).toBeGreaterThan(20_000);
  }
});

test("pieces break inside every character of more than one byte, and nothing is lost", () => {
  const frames = ["aä", "日b", "👩c"];
  const pieces = piecesOf(frames, "inside-characters").map((piece) => Buffer.from(piece));
  expect(pieces.map((piece) => piece.length)).toEqual([2, 2, 4, 4]);
  expect(Buffer.concat(pieces).toString()).toBe(frames.join(""));
});
