// The journal is a port: recording, reopening and forking work the same on one that is not a file.
import { expect, test } from "bun:test";
import { MemoryDisk } from "../../test/support/memory-disk.ts";
import { MemoryJournals } from "../../test/support/memory-journal.ts";
import { playTurn, wordsOf } from "../../test/support/scripted-session.ts";
import { FOLDER, PATHS, PROJECT, SESSION } from "../../test/support/session-files.ts";
import { createSession, openSession, readSession } from "./open.ts";
import { sessionPaths } from "./paths.ts";

const START = {
  folder: FOLDER,
  projectId: PROJECT,
  sessionId: SESSION,
  workingDirectory: "/project",
  model: "demo:scripted",
};

function setUp() {
  const disk = new MemoryDisk();
  const journals = new MemoryJournals();
  const options = { disk, journal: journals.at };
  const reopen = async () => {
    const opening = await openSession(PATHS, options);
    if (opening.type !== "open") throw new Error(`The session is ${opening.type}.`);
    return opening.session;
  };
  return { disk, journals, options, reopen, session: createSession({ ...START, ...options }) };
}

test("a session is recorded, closed, reopened and continued without a file", async () => {
  const { disk, reopen, session } = setUp();
  await playTurn(session, 1, { rewrites: true });
  await session.writer.title("Fish");
  await session.writer.close();
  let again = session;
  for (const turn of [2, 3, 4]) {
    const before = again.state;
    again = await reopen();
    expect(again.state.conversation.messages).toEqual(before.conversation.messages);
    expect(again.state).toMatchObject({ title: "Fish", currentModel: "demo:scripted" });
    expect(again.report).toEqual({ notes: [], repairs: [] });
    await playTurn(again, turn, { rewrites: true });
    await again.writer.close();
  }
  expect(disk.paths()).toEqual([]);
});

test("a session recovers from a crash in the middle of a turn", async () => {
  const { journals, reopen, session } = setUp();
  await playTurn(session, 1);
  await session.writer.prompt("never answered", "r2");
  journals.stopWriter(SESSION);
  expect((await reopen()).unsentPrompt).toBe("never answered");
});

test("a second window is told, and a writer that lost the session is refused and goes on in a fork", async () => {
  const { journals, options, reopen, session } = setUp();
  await playTurn(session, 1);
  expect((await openSession(PATHS, options)).type).toBe("held");
  journals.stopWriter(SESSION);
  const other = await reopen();
  await playTurn(other, 2);
  await playTurn(session, 3);
  const { sessionId } = session.state;
  expect(sessionId).not.toBe(SESSION);
  const readOf = async (id: string) => {
    const paths = sessionPaths(FOLDER, PROJECT, id);
    const read = await readSession(paths, options.disk, journals.at(paths, false));
    return wordsOf(read?.state.conversation.messages ?? []);
  };
  expect(await readOf(SESSION)).toEqual(wordsOf(other.state.conversation.messages));
  expect(await readOf(sessionId)).toEqual(wordsOf(session.state.conversation.messages));
  expect(await readOf(sessionId)).toContain("answer-3.");
});
