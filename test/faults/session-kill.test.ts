// Kills the process with -9 at every disk operation, and at random moments. Everything that a person had seen is
// there afterwards, and the session can be continued at once.
import { expect, test } from "bun:test";
import { checkHistory } from "../../src/history/grammar.ts";
import { drive, newestSession, withFolder, wordsSeen } from "../support/driven-session.ts";
import { seededRandom } from "../support/random.ts";
import { wordsOfSession } from "../support/scripted-session.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const SIGKILLED = null;

test("a kill at any disk operation loses nothing that was shown", async () => {
  const operations = await withFolder(operationsOfOneTurn);
  let shown = 0;
  for (let at = 1; at <= operations; at++) {
    shown += await withFolder(async (folder) => {
      const killed = drive(folder, 1, "--kill-at", String(at));
      expect((await killed.done).code).toBe(SIGKILLED);
      await expectNothingLost(folder, wordsSeen(killed.lines));
      return wordsSeen(killed.lines).length;
    });
  }
  console.log(`kill: at each of ${operations} operations, ${shown} shown words, all there`);
}, 600_000);

test("a session that is killed again and again at random moments only grows", async () => {
  const random = seededRandom(7);
  const kills = LONG ? 200 : 15;
  const shown = await withFolder(async (folder) => {
    const seen: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const victim = drive(folder, 1_000, "--pause", "1");
      // A process takes a while to start, so some die before they open anything.
      setTimeout(() => victim.child.kill("SIGKILL"), 40 + random.below(400));
      await victim.done;
      seen.push(...wordsSeen(victim.lines));
      const session = await newestSession(folder);
      const found = session === undefined ? new Set<string>() : wordsOfSession(session);
      expect(seen.filter((word) => !found.has(word))).toEqual([]);
      expect(checkHistory(session?.state.conversation.messages ?? [])).toEqual([]);
    }
    await expectNothingLost(folder, seen);
    return seen.length;
  });
  console.log(`kill: ${kills} random moments, ${shown} shown words, all there`);
}, 600_000);

async function operationsOfOneTurn(folder: string): Promise<number> {
  const whole = drive(folder, 1);
  expect(await whole.done).toEqual({ code: 0, errors: "" });
  return Number(whole.lines.at(-1)?.split(" ")[1]);
}

/** Lets another process continue the session first. */
async function expectNothingLost(folder: string, shown: readonly string[]): Promise<void> {
  const next = drive(folder, 1);
  expect(await next.done).toEqual({ code: 0, errors: "" });
  const session = await newestSession(folder);
  if (session === undefined) throw new Error("There is no session.");
  const found = wordsOfSession(session);
  expect([...shown, ...wordsSeen(next.lines)].filter((word) => !found.has(word))).toEqual([]);
  expect(checkHistory(session.state.conversation.messages)).toEqual([]);
}
