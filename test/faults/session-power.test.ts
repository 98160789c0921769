// After a power failure, everything that was acknowledged is there, in every state the disk may be in.
import { expect, test } from "bun:test";
import { checkHistory } from "../../src/history/grammar.ts";
import { openSession, readSession } from "../../src/session/open.ts";
import { crashStates } from "../support/crash-states.ts";
import { MemoryDisk } from "../support/memory-disk.ts";
import { playTurn, wordsOfSession } from "../support/scripted-session.ts";
import { newScriptedSession, PATHS } from "../support/session-files.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";

test("every crash state a disk may show loads with everything that was acknowledged", async () => {
  const disk = new MemoryDisk();
  const acknowledged: { at: number; word: string }[] = [];
  const seen = (word: string) => void acknowledged.push({ at: disk.log.length, word });
  const first = newScriptedSession(disk);
  for (const turn of LONG ? [1, 2, 3] : [1, 2]) await playTurn(first, turn, {}, seen);
  await first.writer.close();
  // The same again, from the snapshot.
  const opening = await openSession(PATHS, { disk });
  if (opening.type !== "open") throw new Error(`The session is ${opening.type}.`);
  for (const turn of LONG ? [4, 5, 6] : [4, 5]) await playTurn(opening.session, turn, {}, seen);
  await opening.session.writer.close();

  let states = 0;
  for (let at = 0; at <= disk.log.length; at++) {
    const expected = acknowledged.filter((each) => each.at <= at).map((each) => each.word);
    for (const crashed of crashStates(disk.log.slice(0, at))) {
      states++;
      const session = await readSession(PATHS, crashed);
      const found = session === undefined ? new Set<string>() : wordsOfSession(session);
      const lost = expected.filter((word) => !found.has(word));
      if (lost.length > 0) throw new Error(`Operation ${at}: ${lost.join(" ")} lost; ${crashed.paths()}`);
      expect(checkHistory(session?.state.conversation.messages ?? [])).toEqual([]);
    }
  }
  console.log(
    `power: ${disk.log.length} operations, ${states} crash states, ${acknowledged.length} words, all there`,
  );
}, 600_000);
