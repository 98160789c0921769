// What is kept for undo is counted and checked; what was cut off and what limits will delete is told.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256 } from "../base/digest.ts";
import { nodeDisk } from "../session/disk.ts";
import { acquireLease } from "../session/lease.ts";
import { type SessionPaths, sessionFolder, sessionPaths } from "../session/paths.ts";
import type { MachineCheck } from "./machine-checks.ts";
import { restoresFolder } from "./pending-restores.ts";
import { checkKept, checkSessionStore } from "./storage-checks.ts";

const home = mkdtempSync(join(tmpdir(), "tunacode-kept-"));
const env = { HOME: home };
afterAll(() => rmSync(home, { recursive: true, force: true }));

function session(name: string, daysOld = 0): SessionPaths {
  const paths = sessionPaths(sessionFolder(env), "0".repeat(16), `${name}-0000-4000-8000-000000000000`);
  mkdirSync(paths.folder, { recursive: true });
  writeFileSync(paths.journal, "");
  const at = Date.now() / 1_000 - daysOld * 86_400;
  utimesSync(paths.journal, at, at);
  return paths;
}

function keep({ files }: SessionPaths, text: string, name = sha256(text)): string {
  const path = join(files, "blobs", name.slice(0, 2), name.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function checks(settings: Omit<Parameters<typeof checkKept>[0], "env"> = {}): Promise<MachineCheck[]> {
  const found: MachineCheck[] = [];
  for await (const check of checkKept({ env, ...settings })) found.push(check);
  return found;
}

test("the store is counted, and is over its cap or not", async () => {
  keep(session("aaaa1111"), "a".repeat(1_048_576));
  keep(session("bbbb2222"), "b".repeat(524_288));
  session("cccc3333");
  const message = "1.5 MB of files kept for 2 sessions, of at most 1024 MB";
  expect(await checks()).toEqual([{ name: "undo", status: "ok", message }]);
  const [over] = await checks({ undo: { machineBytes: 1_048_576 } });
  expect(over).toMatchObject({ status: "warning", message: expect.stringContaining("of at most 1 MB") });
});

test("a file that isn't what its name says is damage: said, and removed when the session is repaired", async () => {
  const paths = session("aaaa1111");
  expect(await checkSessionStore(session("cccc3333"), { change: true })).toBeNull();
  expect(await checkSessionStore(paths, { change: true })).toMatchObject({ status: "ok" });
  const bad = keep(paths, "other bytes", sha256("bytes"));
  const [found] = await checks();
  expect(found?.message).toEndWith(`; damaged in ${paths.sessionId}`);
  expect(found?.remedy).toBe(`Run: tunacode doctor ${paths.sessionId}`);
  expect(await checkSessionStore(paths, { change: false })).toMatchObject({ status: "planned" });
  expect(existsSync(bad)).toBe(true);
  expect(await checkSessionStore(paths, { change: true })).toMatchObject({ status: "changed" });
  expect(existsSync(bad)).toBe(false);
  expect(await checkSessionStore(paths, { change: true })).toMatchObject({ status: "ok" });
  expect(readdirSync(join(paths.files, "blobs")).length).toBeGreaterThan(0);
});

test("it is told what limits will delete, but for a session whose restore was cut off, and that it was", async () => {
  const old = session("dddd4444", 40);
  const pending = session("eeee5555", 50);
  mkdirSync(restoresFolder(env), { recursive: true });
  writeFileSync(join(restoresFolder(env), `${pending.projectId}_${pending.sessionId}_r1.json`), "{}");
  const [, cutOff, retention] = await checks({ retention: { days: 30 } });
  expect(cutOff).toMatchObject({ name: "undo", status: "warning" });
  expect(retention).toEqual({
    name: "retention",
    status: "ok",
    message: `1 session will be deleted at the next start: ${old.sessionId}`,
  });
  expect(existsSync(old.journal)).toBe(true);
});

test("what belongs to no session is told, but not what is kept for one that runs", async () => {
  const gone = session("ffff6666");
  keep(gone, "left");
  rmSync(gone.journal);
  const begun = session("ffff7777");
  keep(begun, "begun");
  rmSync(begun.journal);
  const lease = await acquireLease(nodeDisk, begun.lease);
  const found = (await checks()).filter(({ message }) => message.includes("no session"));
  await lease.release();
  const message = "1 folder with files that belong to no session";
  const remedy = `Nothing can use them. Delete ${gone.files}`;
  expect(found).toEqual([{ name: "undo", status: "warning", message, remedy }]);
});
