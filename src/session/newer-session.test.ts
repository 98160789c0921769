import { expect, test } from "bun:test";
import { MemoryDisk } from "../../test/support/memory-disk.ts";
import { inFormat } from "../../test/support/record-format.ts";
import { playTurn } from "../../test/support/scripted-session.ts";
import { newScriptedSession, PATHS, writeSession } from "../../test/support/session-files.ts";
import { NO_MASK } from "../base/secrets.ts";
import { RECORD_FORMAT } from "./line.ts";
import { NewerSessionError } from "./newer-session.ts";
import { openSession, readSession } from "./open.ts";
import { encodeSnapshot } from "./snapshot.ts";

/** A newer program wrote the last lines, after it had continued our session. */
async function newerDisk(): Promise<MemoryDisk> {
  const { lines } = await writeSession(2);
  const [before, after] = [lines.slice(0, -3), lines.slice(-3)].map((some) => Buffer.concat(some).toString());
  const disk = new MemoryDisk();
  disk.put(PATHS.journal, Buffer.from(`${before}${inFormat(after ?? "", RECORD_FORMAT + 1)}`));
  return disk;
}

test("a newer program's session is refused with a reason, and nothing on disk changes", async () => {
  const disk = await newerDisk();
  const before = disk.bytes(PATHS.journal);
  for (const look of [() => openSession(PATHS, { disk }), () => readSession(PATHS, disk)]) {
    const error = await look().then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(NewerSessionError);
    expect(error).toMatchObject({ code: "config" });
    expect(error.message).toContain(`newer tunacode (format ${RECORD_FORMAT + 1})`);
  }
  expect(disk.paths()).toEqual([PATHS.journal]);
  expect(disk.bytes(PATHS.journal)).toEqual(before);
});

test("a newer program's snapshot without a journal is refused, too", async () => {
  const session = newScriptedSession(new MemoryDisk());
  await playTurn(session, 1);
  const { messages } = session.state.conversation;
  const coverage = {
    format: RECORD_FORMAT + 1,
    epoch: 1,
    seq: 9,
    offset: 99,
    sequences: messages.map(() => 1),
  };
  const pieces = await Array.fromAsync(encodeSnapshot(session.state, messages, coverage, NO_MASK));
  const disk = new MemoryDisk();
  disk.put(PATHS.snapshot, Buffer.from(pieces.join("")));
  await expect(readSession(PATHS, disk)).rejects.toThrow("newer tunacode");
});

test("a journal whose records don't say their format loads", async () => {
  const { journal, words } = await writeSession(3);
  const disk = new MemoryDisk();
  disk.put(PATHS.journal, Buffer.from(inFormat(journal.toString(), null)));
  const session = await readSession(PATHS, disk);
  expect(session?.report).toEqual({ notes: [], repairs: [] });
  expect(words.length).toBeGreaterThan(0);
  expect(session?.state.conversation.messages).toHaveLength(12);
});
