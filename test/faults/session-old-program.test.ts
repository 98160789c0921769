// We load the old program's files, it can load ours, and we notice when it rewrites one of ours.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkHistory } from "../../src/history/grammar.ts";
import { openSession, readSession } from "../../src/session/open.ts";
import { decodeMessages, encodeMessages } from "../../src/session/stored-message.ts";
import { notation } from "../support/conversation.ts";
import { MemoryDisk } from "../support/memory-disk.ts";
import { playTurn, wordsOf } from "../support/scripted-session.ts";
import { loadFiles, PATHS, SESSION, writeSession } from "../support/session-files.ts";

const FIXTURE = readFileSync(join(import.meta.dir, "../fixtures/tunacode-session-v1.json"));

async function open(disk: MemoryDisk) {
  const opening = await openSession(PATHS, { disk });
  if (opening.type !== "open") throw new Error(`The session is ${opening.type}.`);
  return opening.session;
}

test("the old program's file loads, with everything it says about the session", async () => {
  const { state, unsentPrompt } = await loadFiles({ snapshot: FIXTURE });
  expect(state).toMatchObject({
    // The old program names its files like this.
    sessionId: SESSION,
    createdAt: "2026-01-31T21:04:11.512345+00:00",
    currentModel: "openrouter:openai/gpt-4.1",
    workingDirectory: "/home/u/proj",
    usage: { sessionTotal: { promptTokens: 1530, completionTokens: 88, cachedTokens: 0, cost: 0.003764 } },
  });
  expect(state.conversation.thoughts).toEqual(["check the tests first", "legacy thought"]);
  expect(checkHistory(state.conversation.messages)).toEqual([]);
  expect(state.title).toBe("list the files");
  // The prompt that was never answered stays and is offered again; the turn before it is closed.
  expect(unsentPrompt).toBe("legacy plain user text");
  expect(notation(state.conversation.messages.slice(-3))).toBe(
    "return:tc_1/bash=x interrupted user:legacy_plain_user_text",
  );
});

test("a file with any of its keys missing, null or of another type loads", async () => {
  const original: Record<string, unknown> = JSON.parse(FIXTURE.toString("utf8"));
  let variants = 0;
  for (const key of Object.keys(original)) {
    const { [key]: _without, ...rest } = original;
    for (const value of [undefined, null, 7, "text", [], [null, 7, "text", {}], { a: 1 }]) {
      const text = JSON.stringify({ ...rest, [key]: value });
      const { state } = await loadFiles({ snapshot: Buffer.from(text) });
      expect(checkHistory(state.conversation.messages)).toEqual([]);
      if (key !== "messages") expect(state.conversation.messages).toHaveLength(7);
      variants++;
    }
  }
  console.log(`old files: ${variants} variants loaded`);
});

test("a continued session's file has the same messages, and its journal has everything", async () => {
  const disk = new MemoryDisk();
  const original = JSON.parse(FIXTURE.toString("utf8"));
  disk.put(PATHS.snapshot, Buffer.from(JSON.stringify({ ...original, unknown_key: { kept: true } })));
  const session = await open(disk);
  await playTurn(session, 1);
  await session.writer.close();
  const snapshot = JSON.parse(String(disk.bytes(PATHS.snapshot)));
  expect(Object.keys(snapshot)).toEqual(
    expect.arrayContaining([...Object.keys(original), "title", "journal"]),
  );
  expect(snapshot.unknown_key).toEqual({ kept: true });
  expect(snapshot.version).toBe(1);
  // Our writer's output is valid for our reader and in the old program's format.
  const again = decodeMessages(snapshot.messages);
  expect(again.problems).toEqual([]);
  expect(encodeMessages(again.messages)).toEqual(snapshot.messages);
  const journal = String(disk.bytes(PATHS.journal));
  for (const { content } of original.messages.flatMap((message: { parts?: object[] }) => message.parts ?? []))
    if (typeof content === "string" && content !== "You are ...")
      expect(journal).toContain(JSON.stringify(content));
});

test("journal and snapshot each contain the same conversation", async () => {
  const { journal, snapshot } = await writeSession(5, { rewrites: true });
  const both = await loadFiles({ journal, snapshot });
  const [one, other] = [await loadFiles({ journal }), await loadFiles({ snapshot })];
  expect(one.state.conversation).toEqual(both.state.conversation);
  expect(other.state.conversation).toEqual(both.state.conversation);
  expect(both.report).toEqual({ notes: [], repairs: [] });
  expect(other.report.notes.map(({ kind }) => kind)).toEqual(["missing-journal"]);
});

test("what recovery takes out of an old file is in the journal, and its unsent prompt is offered until it is answered", async () => {
  const original = JSON.parse(FIXTURE.toString("utf8"));
  const orphan = {
    part_kind: "tool-return",
    tool_call_id: "nobody",
    tool_name: "bash",
    content: "an orphan",
  };
  const messages = [{ kind: "request", parts: [orphan] }, ...original.messages];
  const disk = new MemoryDisk();
  disk.put(PATHS.snapshot, Buffer.from(JSON.stringify({ ...original, messages })));
  const unsent = (await readSession(PATHS, disk))?.unsentPrompt;
  expect(unsent).toBeDefined();
  for (let time = 0; time < 3; time++) {
    const session = await open(disk);
    expect(session.unsentPrompt).toEqual(unsent);
    await session.writer.close();
  }
  expect(String(disk.bytes(PATHS.journal))).toContain("an orphan");
});

test("a snapshot that the old program wrote after the journal counts, and the journal is kept aside", async () => {
  const { journal, snapshot } = await writeSession(3);
  const { journal: _mark, title: _title, messages, ...rest } = JSON.parse(String(snapshot));
  const rewritten = { ...rest, messages: messages.slice(0, 4), last_modified: "2099-01-01T00:00:00+00:00" };
  const disk = new MemoryDisk();
  disk.put(PATHS.journal, journal);
  disk.put(PATHS.snapshot, Buffer.from(JSON.stringify(rewritten)));
  const session = await open(disk);
  expect(session.state.conversation.messages).toHaveLength(4);
  expect(session.report.notes.map(({ kind }) => kind)).toEqual(["old-program", "set-aside"]);
  const aside = disk.paths().find((path) => path.includes(".jsonl.aside-"));
  expect(disk.bytes(aside ?? "")).toEqual(journal);
  await playTurn(session, 9);
  await session.writer.close();
  const loaded = await readSession(PATHS, disk);
  expect(wordsOf(loaded?.state.conversation.messages ?? [])).toContain("answer-9.");
  expect(loaded?.report.notes).toEqual([]);
});

test("the old program's file from which a journal was started is not used again after a crash", async () => {
  const disk = new MemoryDisk();
  disk.put(PATHS.snapshot, FIXTURE);
  const session = await open(disk);
  await playTurn(session, 1);
  // The session isn't closed, so the snapshot on disk is still the old program's.
  const loaded = await readSession(PATHS, disk);
  expect(wordsOf(loaded?.state.conversation.messages ?? [])).toContain("answer-1.");
  expect(disk.bytes(PATHS.snapshot)).toEqual(FIXTURE);
});

test("a file that can't be read is never overwritten", async () => {
  for (const garbage of ["", "{", "not json at all\n", "\0\0\0\0"]) {
    const disk = new MemoryDisk();
    disk.put(PATHS.snapshot, Buffer.from(garbage));
    disk.put(PATHS.journal, Buffer.from(`${garbage}x\n`));
    const session = await open(disk);
    await playTurn(session, 1);
    await session.writer.close();
    const kept = disk.paths().filter((path) => path.includes(".aside-"));
    expect(kept.map((path) => String(disk.bytes(path))).sort()).toEqual([garbage, `${garbage}x\n`].sort());
    const loaded = await readSession(PATHS, disk);
    expect(wordsOf(loaded?.state.conversation.messages ?? [])).toContain("answer-1.");
  }
});
