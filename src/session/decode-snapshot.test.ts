import { expect, test } from "bun:test";
import fc from "fast-check";
import { validHistory } from "../../test/support/generated-history.ts";
import { NO_MASK } from "../base/secrets.ts";
import type { Message } from "../domain/message.ts";
import { decodeSnapshot, takeApart } from "./decode-snapshot.ts";
import { encodeSnapshot } from "./snapshot.ts";
import { newSessionState } from "./state.ts";

const MARK = { format: 1, epoch: 1, seq: 7, offset: 99, sequences: [] };

async function written(messages: readonly Message[], title = 'A title\n"messages":[\n]'): Promise<Buffer> {
  const now = "2026-01-01T00:00:00.000Z";
  const state = newSessionState({ sessionId: "s", projectId: "p", workingDirectory: "/w", model: "m", now });
  const pieces: string[] = [];
  for await (const piece of encodeSnapshot({ ...state, title }, messages, MARK, NO_MASK)) pieces.push(piece);
  return Buffer.from(pieces.join(""));
}

function says(content: string): Message {
  return { kind: "request", parts: [{ kind: "user-prompt", content }] };
}

test("reading line by line gives the same as parsing the whole", async () => {
  await fc.assert(
    fc.asyncProperty(validHistory, fc.array(fc.string({ unit: "binary" })), async (history, texts) => {
      const bytes = await written([...history, ...texts.map(says)]);
      const pieces = takeApart(bytes);
      const { messages, ...rest } = JSON.parse(bytes.toString());
      expect({ rest: pieces?.rest, messages: [...(pieces?.messages ?? [])] }).toEqual({ rest, messages });
    }),
    { numRuns: 200 },
  );
});

test("messages may be longer than a piece, shorter, or missing", async () => {
  for (const sizes of [[], [200_000], [1, 200_000, 1], Array(5_000).fill(100), [65_536, 65_535, 65_537]]) {
    const messages = sizes.map((size: number, at: number) => says(`${at} ü€😀 ${"x".repeat(size)}`));
    const decoded = decodeSnapshot(await written(messages));
    expect(decoded).toMatchObject({ ok: true, snapshot: { intact: true, messages } });
    expect(takeApart(await written(messages))).toBeDefined();
  }
});

test("a snapshot with a changed byte is not taken apart", async () => {
  const bytes = await written([says("one"), says("two")]);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    const pieces = takeApart(damaged);
    // The checksum doesn't cover what follows it, but damage there can't change the conversation.
    if (pieces !== undefined) expect([...pieces.messages]).toEqual(JSON.parse(bytes.toString()).messages);
  }
});
