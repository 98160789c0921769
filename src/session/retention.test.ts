// Sessions beyond a person's limits are found and deleted, oldest first, and never one that is in use.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../test/support/random.ts";
import { nodeDisk } from "./disk.ts";
import { acquireLease } from "./lease.ts";
import { type SessionPaths, sessionPaths } from "./paths.ts";
import { deleteSurplus, isLimited, type Retention, surplusSessions } from "./retention.ts";
import { deleteSession } from "./store.ts";

const signal = new AbortController().signal;
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tunacode-retention-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `daysOld` since its last use; each takes 1,000 bytes, and what undo keeps for it 9,000. */
function session(name: string, daysOld: number, projectId = "0".repeat(16)): SessionPaths {
  const paths = sessionPaths(folder, projectId, `${name}-0000-4000-8000-000000000000`);
  writeFileSync(paths.journal, "j".repeat(1_000));
  mkdirSync(join(paths.files, "blobs", "ab"), { recursive: true });
  writeFileSync(join(paths.files, "blobs", "ab", "cd"), "b".repeat(9_000));
  const at = Date.now() / 1_000 - daysOld * 86_400;
  utimesSync(paths.journal, at, at);
  return paths;
}

async function surplus(retention: Retention, kept?: SessionPaths): Promise<string> {
  const scope = { isKept: ({ sessionId }: SessionPaths) => sessionId === kept?.sessionId, signal };
  const found = await surplusSessions(folder, retention, scope);
  return found.map(({ paths, over }) => `${paths.sessionId.slice(0, 8)}:${over}`).join(" ");
}

test("those beyond the limits are found oldest first, whatever project they are of", async () => {
  session("aaaa0001", 1);
  session("aaaa0005", 5, "1".repeat(16));
  const kept = session("aaaa0009", 9);
  session("aaaa0030", 30);
  expect(await surplus({ days: 7 })).toBe("aaaa0030:days aaaa0009:days");
  expect(await surplus({ days: 7 }, kept)).toBe("aaaa0030:days");
  expect(await surplus({ count: 1 })).toBe("aaaa0030:count aaaa0009:count aaaa0005:count");
  expect(await surplus({ bytes: 25_000 })).toBe("aaaa0030:bytes aaaa0009:bytes");
  expect(await surplus({ days: 7, count: 1 })).toBe("aaaa0030:days aaaa0009:days aaaa0005:count");
  expect(await surplus({})).toBe("");
  expect([isLimited({}), isLimited({ count: 3 })]).toEqual([false, true]);
});

test("the session that is being opened counts as one, with and without files of its own", async () => {
  const own = session("aaaa0001", 1);
  session("aaaa0005", 5);
  const find = (sessionId: string) =>
    surplusSessions(folder, { count: 1 }, { own: sessionId, isKept: () => false, signal });
  expect((await find(own.sessionId)).map(({ paths }) => paths.sessionId.slice(0, 8))).toEqual(["aaaa0005"]);
  expect(await find("bbbb0000-0000-4000-8000-000000000000")).toHaveLength(2);
});

test("they are deleted with their store, but for one that runs", async () => {
  const young = session("aaaa0001", 1);
  const running = session("aaaa0008", 8);
  const old = session("aaaa0009", 9);
  const lease = await acquireLease(nodeDisk, running.lease);
  const deleted = await deleteSurplus(folder, { days: 7 }, { isKept: () => false, signal });
  expect(deleted.map(({ paths }) => paths.sessionId)).toEqual([old.sessionId]);
  expect(readdirSync(folder).filter((name) => name.includes("aaaa0009"))).toEqual([]);
  for (const { journal, files } of [young, running])
    expect([existsSync(journal), existsSync(files)]).toEqual([true, true]);
  await lease.release();
});

test("nothing is deleted once it has taken too long", async () => {
  const old = session("aaaa0009", 9);
  const scope = { isKept: () => false, signal: AbortSignal.abort() };
  expect(await deleteSurplus(folder, { days: 7 }, scope)).toEqual([]);
  expect(existsSync(old.journal)).toBe(true);
});

test("whatever the limits are, what runs or is kept stays, and a second time finds nothing more", async () => {
  const random = seededRandom(17);
  for (let round = 0; round < 10; round++) {
    const made = Array.from({ length: 8 }, (_, at) => {
      const paths = session(`aa${String(round).padStart(2, "0")}000${at}`, 1 + random.below(20));
      return { paths, isKept: random.below(4) === 0, isLeased: random.below(4) === 0 };
    });
    const leases = [];
    for (const { paths, isLeased } of made)
      if (isLeased) leases.push(await acquireLease(nodeDisk, paths.lease));
    const days = 1 + random.below(20);
    const limits: Retention = random.pick([{ days }, { count: days % 8 }, { bytes: days * 7_000 }]);
    const isKept = ({ sessionId }: SessionPaths) =>
      made.some((each) => each.isKept && each.paths.sessionId === sessionId);
    const deleted = await deleteSurplus(folder, limits, { isKept, signal });
    const gone = new Set(deleted.map(({ paths }) => paths.sessionId));
    for (const { paths, isKept, isLeased } of made) {
      if (isKept || isLeased) expect(gone.has(paths.sessionId)).toBe(false);
      expect([existsSync(paths.journal), existsSync(paths.files)]).toEqual(
        Array(2).fill(!gone.has(paths.sessionId)),
      );
    }
    // A second time finds nothing more.
    expect(await surplusSessions(folder, limits, { isKept, signal })).toEqual([]);
    for (const lease of leases) await lease.release();
    for (const { paths } of made) await deleteSession(paths);
  }
});
