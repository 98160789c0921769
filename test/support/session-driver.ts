// A program that plays scripted turns on the newest session of a folder, for tests that kill it. It prints every word
// of a message once it is saved, "turn N" after a turn, and "held" if another process has the session.
//
//   bun session-driver.ts FOLDER TURNS [--kill-at N: die before the n-th disk operation] [--pause MS]
import { type Disk, type DiskFile, nodeDisk } from "../../src/session/disk.ts";
import { createSession, type OpenSession, openSession } from "../../src/session/open.ts";
import { listSessions } from "../../src/session/store.ts";
import { playTurn, wordsOf } from "./scripted-session.ts";

export const HELD_EXIT = 3;
const PROJECT = "0123456789abcdef";

const [folder = "", turns = "1", ...flags] = process.argv.slice(2);
const killAt = numberAfter("--kill-at");
let operations = 0;

function mortal<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    if (++operations === killAt) process.kill(process.pid, "SIGKILL");
    return work(...args);
  };
}

/** The real disk, but the process dies before the n-th operation that changes anything. */
const mortalDisk: Disk = {
  ...nodeDisk,
  open: async (path, how) => mortalFile(await mortal(nodeDisk.open)(path, how)),
  makeFolder: mortal(nodeDisk.makeFolder),
  syncFolder: mortal(nodeDisk.syncFolder),
  rename: mortal(nodeDisk.rename),
  link: mortal(nodeDisk.link),
  makeMark: mortal(nodeDisk.makeMark),
  remove: mortal(nodeDisk.remove),
  removeFolder: mortal(nodeDisk.removeFolder),
};

function mortalFile(file: DiskFile): DiskFile {
  return {
    ...file,
    write: mortal(file.write),
    sync: mortal(file.sync),
  };
}

if (import.meta.main) process.exitCode = await main();

async function main(): Promise<number> {
  const session = await takeSession();
  if (session === undefined) {
    say("held");
    return HELD_EXIT;
  }
  say(`open ${session.state.sessionId}`);
  const first = 1 + lastTurn(session);
  for (let turn = first; turn < first + Number(turns); turn++) {
    await playTurn(session, turn, { pauseMs: numberAfter("--pause") }, say);
    say(`turn ${turn}`);
  }
  await session.writer.close();
  say(`closed ${operations}`);
  return 0;
}

async function takeSession(): Promise<OpenSession | undefined> {
  const options = { disk: mortalDisk, onFork: (_from: string, to: string) => say(`fork ${to}`) };
  const [newest] = await listSessions(folder, { limit: 1 });
  if (newest === undefined)
    return createSession({
      ...options,
      folder,
      projectId: PROJECT,
      workingDirectory: "/",
      model: "demo:scripted",
    });
  const opening = await openSession(newest.paths, options);
  return opening.type === "open" ? opening.session : undefined;
}

/** A prompt that was never answered is sent again, as a person would. */
function lastTurn({ state }: OpenSession): number {
  const turns = wordsOf(state.conversation.messages).map((word) => Number(/\d+/.exec(word)?.[0]));
  return Math.max(0, ...turns);
}

function numberAfter(flag: string): number {
  const at = flags.indexOf(flag);
  return at === -1 ? 0 : Number(flags[at + 1]);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
