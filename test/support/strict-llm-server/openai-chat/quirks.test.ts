// What other servers make of the chat format.
import { afterEach, expect, test } from "bun:test";
import { post } from "../post.ts";
import { type StrictServer, type StrictServerOptions, startStrictServer } from "../server.ts";
import { type Answer, answer, call, thought } from "../turn.ts";
import { validBodies } from "../valid-bodies/valid-bodies.ts";

const running: StrictServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(options: StrictServerOptions = {}): Promise<StrictServer> {
  const server = await startStrictServer(options);
  running.push(server);
  return server;
}

const TWO_CALLS = answer(thought("hm"), call("bash", { command: "ls" }), call("list_dir", {}));

/** What the chat format looks like with a quirk: the deltas, and the last event. */
async function chatWith(...quirks: NonNullable<Answer["quirks"]>) {
  const server = await start({ script: [{ ...TWO_CALLS, quirks }] });
  const valid = validBodies("openai-chat")[0]?.body;
  const body = { ...valid, model: "m", stream: true, stream_options: { include_usage: true } };
  const words = await (await post(server.url, "openai-chat", { body })).text();
  const data = words.split("\n\n").filter((event) => event.startsWith("data: {"));
  const chunks = data.map((event) => JSON.parse(event.slice(6)));
  const calls = chunks.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? []);
  return { words, chunks, calls, deltas: chunks.map((chunk) => chunk.choices?.[0]?.delta ?? {}) };
}

test("quirks: ids shared or missing, names late or repeated, arguments as an object, no index", async () => {
  const ids = (list: { id?: string }[]) => list.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(new Set(ids((await chatWith()).calls)).size).toBe(2);
  expect(new Set(ids((await chatWith("one-id")).calls)).size).toBe(1);
  expect(ids((await chatWith("no-ids")).calls)).toEqual([]);
  expect((await chatWith("late-name")).calls[0].function).toEqual({ arguments: "" });
  expect((await chatWith("repeated-name")).calls.every((entry) => entry.function.name !== undefined)).toBe(
    true,
  );
  expect((await chatWith("object-arguments")).calls[0].function.arguments).toEqual({ command: "ls" });
  expect((await chatWith("no-index")).calls[0].index).toBeUndefined();
  expect((await chatWith("interleaved-calls")).calls.map(({ index }) => index).slice(0, 4)).toEqual([
    0, 1, 0, 1,
  ]);
});

test("quirks: thoughts and calls elsewhere, ends that differ", async () => {
  expect((await chatWith()).deltas.some((delta) => delta.reasoning_content === "hm")).toBe(true);
  expect((await chatWith("reasoning-field")).deltas.some((delta) => delta.reasoning === "hm")).toBe(true);
  expect((await chatWith("think-tags")).words).toContain("<think>");
  expect((await chatWith("calls-as-text")).words).toContain("<tool_call>");
  expect((await chatWith("no-usage")).words).not.toContain("prompt_tokens");
  expect((await chatWith("no-choices-at-end")).chunks.at(-1).choices).toBeUndefined();
  expect((await chatWith("usage-with-finish")).chunks.at(-1).choices[0].finish_reason).toBe("tool_calls");
  expect((await chatWith("no-done")).words).not.toContain("[DONE]");
  expect((await chatWith("pings")).words).toStartWith(": ping\n\n");
});
