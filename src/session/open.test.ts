import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { conversation } from "../../test/support/conversation.ts";
import { freezeMessages } from "../../test/support/deep-frozen.ts";
import { withFolder } from "../../test/support/driven-session.ts";
import { MemoryDisk } from "../../test/support/memory-disk.ts";
import { playTurn, wordsOf } from "../../test/support/scripted-session.ts";
import { FOLDER, newScriptedSession, PATHS, PROJECT, SESSION } from "../../test/support/session-files.ts";
import { createMask } from "../base/secrets.ts";
import type { Message } from "../domain/message.ts";
import { formatLine } from "./line.ts";
import { createSession, forkSession, openSession, readSession } from "./open.ts";
import { addMessage, reduceEvent } from "./reduce.ts";

async function reopen(disk: MemoryDisk) {
  const opening = await openSession(PATHS, { disk });
  if (opening.type !== "open") throw new Error(`The session is ${opening.type}.`);
  return opening.session;
}

test("nothing is on disk before the first prompt", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await session.writer.record({ type: "node-start", iteration: 1 });
  await session.writer.close();
  expect(disk.paths()).toEqual([]);
});

test("a session is the same after every closing and opening", async () => {
  const disk = new MemoryDisk();
  let session = newScriptedSession(disk);
  for (let turn = 1; turn <= 9; turn++) {
    freezeMessages(session.state.conversation.messages);
    await playTurn(session, turn, { rewrites: true });
    freezeMessages(session.state.conversation.messages);
    if (turn % 2 === 0) await session.writer.title(`Title ${turn}`);
    await session.writer.close();
    const { conversation, usage: _usage, ...before } = session.state;
    session = await reopen(disk);
    expect(session.state.conversation.messages).toEqual(conversation.messages);
    expect(session.state.conversation.thoughts).toEqual(conversation.thoughts);
    expect(session.state).toMatchObject({ title: before.title, currentModel: before.currentModel });
    expect(session.report).toEqual({ notes: [], repairs: [] });
  }
  expect(session.state.usage.sessionTotal.cost).toBe(4.5);
});

test("a second window is told who has the session, may read it, and can go on in a fork", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  const second = await openSession(PATHS, { disk });
  if (second.type !== "held") throw new Error(`The session is ${second.type}.`);
  expect(second.holder?.pid).toBe(process.pid);
  expect(second.session.state.conversation.messages).toEqual(session.state.conversation.messages);
  const fork = await forkSession(second.session, FOLDER, { disk });
  await playTurn(fork, 2);
  await fork.writer.close();
  await session.writer.close();
  const [one, other] = [await readSession(PATHS, disk), await readSession(fork.writer.paths, disk)];
  expect(wordsOf(one?.state.conversation.messages ?? [])).not.toContain("answer-2.");
  expect(wordsOf(other?.state.conversation.messages ?? [])).toContain("answer-1.");
  expect(wordsOf(other?.state.conversation.messages ?? [])).toContain("answer-2.");
  expect(String(disk.bytes(fork.writer.paths.journal))).toContain(`"forked":"${session.state.sessionId}"`);
});

test("a fork has the keys of its file that only another program knows", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  await session.writer.close();
  const written = JSON.parse(String(disk.bytes(PATHS.snapshot)));
  const { journal: _ours, ...old } = written;
  disk.put(PATHS.snapshot, Buffer.from(JSON.stringify({ ...old, theirs: { kept: [1] } })));
  await disk.remove(PATHS.journal);
  const original = await readSession(PATHS, disk);
  if (original === undefined) throw new Error("The session is missing.");
  const fork = await forkSession(original, FOLDER, { disk });
  const { journal, snapshot } = fork.writer.paths;
  expect(String(disk.bytes(journal))).toContain('"theirs":{"kept":[1]}');
  await playTurn(fork, 2);
  await fork.writer.close();
  expect(JSON.parse(String(disk.bytes(snapshot))).theirs).toEqual({ kept: [1] });
});

test("a window that was stopped while it wrote goes on in a fork if another came and went meanwhile", async () => {
  const disk = new MemoryDisk();
  const { open } = disk;
  let whileStopped = async () => {};
  disk.open = async (path, how) => {
    const file = await open(path, how);
    const write = async (bytes: Uint8Array) => {
      const taken = await file.write(bytes);
      await whileStopped();
      return taken;
    };
    return path === PATHS.journal ? { ...file, write } : file;
  };
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  whileStopped = async () => {
    whileStopped = async () => {};
    await disk.remove(PATHS.lease);
    const other = await open(PATHS.journal, "append");
    await other.write(Buffer.from(formatLine(2, 100, JSON.stringify({ kind: "title", text: "another" }))));
  };
  await playTurn(session, 2);
  expect(session.state.sessionId).not.toBe(SESSION);
  const forked = await readSession(session.writer.paths, disk);
  expect(wordsOf(forked?.state.conversation.messages ?? [])).toContain("answer-2.");
});

test("an unanswered prompt is offered until it is answered, even after a clean exit", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  await session.writer.prompt("never answered", "r2");
  await session.writer.record({ type: "request-end", outcome: { type: "aborted" } });
  await session.writer.close();
  for (let time = 0; time < 3; time++) {
    const again = await reopen(disk);
    expect(again.unsentPrompt).toBe("never answered");
    expect(again.state.conversation.messages).toHaveLength(5);
    await again.writer.close();
  }
  const last = await reopen(disk);
  await playTurn(last, 2);
  await last.writer.close();
  expect((await reopen(disk)).unsentPrompt).toBeUndefined();
});

test("a message that had left the history can come back", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  for (const turn of [1, 2, 3]) await playTurn(session, turn);
  const all = session.state.conversation.messages.slice();
  for (const messages of [all.slice(4), all.toSpliced(4, 4), all]) {
    const event = { type: "repair", repairs: [], messages } as const;
    reduceEvent(session.state, event);
    await session.writer.record(event);
  }
  const loaded = await readSession(PATHS, disk);
  expect(loaded?.state.conversation.messages).toEqual(all);
  expect(loaded?.report.notes).toEqual([]);
});

test("messages from outside keep their place: between requests, during one, and before a close", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  const [between, during, last] = ["between", "during", "last"].map((word) =>
    conversation(`user:${word} text:${word}`),
  );
  const add = (messages: readonly Message[] = []) => {
    for (const message of messages) addMessage(session.state, message);
  };
  add(between);
  await playTurn(session, 2, {}, (words) => {
    if (words === "answer-2.") add(during);
  });
  await session.writer.close();
  const again = await reopen(disk);
  for (const message of last ?? []) addMessage(again.state, message);
  await again.writer.close();
  const loaded = (await reopen(disk)).state.conversation.messages;
  expect(loaded).toEqual([...again.state.conversation.messages]);
  expect(loaded.slice(4, 6)).toEqual(between ?? []);
  expect(loaded.slice(10)).toEqual([...(during ?? []), ...(last ?? [])]);
  expect(wordsOf(loaded)).toContain("answer-1.");
  expect(wordsOf(loaded)).toContain("answer-2.");
});

test("no file on disk contains a key", async () => {
  await withFolder(async (folder) => {
    const mask = createMask(["sk-very-secret-key"]);
    const session = createSession({
      folder,
      projectId: PROJECT,
      workingDirectory: "/",
      model: "demo:x",
      mask,
    });
    await session.writer.prompt("my key is sk-very-secret-key", "r");
    await playTurn(session, 1);
    const answer = {
      kind: "response",
      parts: [{ kind: "text", content: "it is sk-very-secret-key" }],
    } as const;
    const said = { type: "message-end", message: answer } as const;
    reduceEvent(session.state, said);
    await session.writer.record(said);
    await session.writer.record({ type: "request-end", outcome: { type: "completed" } });
    const kept = await session.writer.keepAside("../out put.txt", "sk-very-secret-key in the output");
    await session.writer.close();
    for (const path of [session.writer.paths.journal, session.writer.paths.snapshot, kept])
      expect(readFileSync(path, "utf8")).not.toContain("very-secret");
    expect(kept).toBe(`${session.writer.paths.files}/out_put.txt`);
    for (const name of ["runs", "blobs"])
      expect(await session.writer.keepAside(name, "x")).toBe(`${session.writer.paths.files}/${name}.txt`);
  });
});

test("records of a kind we don't know are kept and skipped", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  const text = String(disk.bytes(PATHS.journal)).replaceAll('"kind":"thought"', '"kind":"thouGht"');
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { sum: _sum, epoch, seq, ...body } = JSON.parse(line);
      return formatLine(epoch, seq, JSON.stringify(body));
    });
  const copy = new MemoryDisk();
  copy.put(PATHS.journal, Buffer.from(lines.join("")));
  const loaded = await readSession(PATHS, copy);
  expect(loaded?.state.conversation.messages).toHaveLength(4);
  expect(loaded?.report.notes).toEqual([]);
  expect(loaded?.state.conversation.thoughts).toEqual([]);
});

test("a simpler form survives in the journal and in the snapshot, through rewrites, forks and a new journal", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  const count = session.state.conversation.messages.length;
  const summary = { text: "Before.", from: 1 };
  const form = { provider: "demo", leftOut: ["image", "of-tomorrow"], count, always: ["tool"], summary };
  const event = { type: "simpler-form", form } as const;
  reduceEvent(session.state, event);
  await session.writer.record(event);
  for (let turn = 2; turn <= 5; turn++) await playTurn(session, turn, { rewrites: true });
  const { forms } = session.state.conversation;
  expect(forms.map(({ leftOut, always }) => [leftOut, always])).toEqual([[form.leftOut, form.always]]);
  await session.writer.close();
  const formsOf = async (kept: "snapshot" | "journal") => {
    const copy = new MemoryDisk();
    copy.put(PATHS[kept], disk.bytes(PATHS[kept]) ?? Buffer.alloc(0));
    return (await readSession(PATHS, copy))?.state.conversation.forms;
  };
  expect(await formsOf("snapshot")).toEqual(forms);
  expect(await formsOf("journal")).toEqual(forms);
  const again = await reopen(disk);
  const fork = await forkSession(again, FOLDER, { disk });
  await fork.writer.close();
  expect((await readSession(fork.writer.paths, disk))?.state.conversation.forms).toEqual(forms);
  await again.writer.close();
});

test("reviews survive in the journal and in the snapshot, and go with a fork", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  const review = {
    toolCallId: "call_1",
    toolName: "bash",
    call: "npm test",
    verdict: "allow",
    reason: "you asked to run the tests",
    model: "demo:small",
  } as const;
  for (const verdict of ["allow", "ask"] as const) {
    const event = { type: "review", review: { ...review, verdict } } as const;
    reduceEvent(session.state, event);
    await session.writer.record(event);
    await playTurn(session, 2, { rewrites: true });
  }
  const { reviews } = session.state;
  expect(reviews.map(({ verdict }) => verdict)).toEqual(["allow", "ask"]);
  await session.writer.close();
  for (const kept of ["snapshot", "journal"] as const) {
    const copy = new MemoryDisk();
    copy.put(PATHS[kept], disk.bytes(PATHS[kept]) ?? Buffer.alloc(0));
    expect((await readSession(PATHS, copy))?.state.reviews).toEqual(reviews);
  }
  const again = await reopen(disk);
  const fork = await forkSession(again, FOLDER, { disk });
  await fork.writer.close();
  expect((await readSession(fork.writer.paths, disk))?.state.reviews).toEqual(reviews);
  await again.writer.close();
});
