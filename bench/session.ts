// What saving, opening and listing sessions costs, beside what can't be avoided: a parse of the same bytes, a stat
// of the same files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Disk, nodeDisk } from "../src/session/disk.ts";
import { createSession, type OpenSession, openSession } from "../src/session/open.ts";
import type { SessionPaths } from "../src/session/paths.ts";
import { listSessions } from "../src/session/store.ts";
import { MESSAGES_PER_TURN, playTurn } from "../test/support/scripted-session.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "session";

const PROJECT = "0123456789abcdef";
const SMALL = 10;
const LARGE = 10_000;
const SESSIONS = 5_000;
const ROUNDS = 25;
const WARM_UP_ROUNDS = 5;
/** Characters of a tool's result. */
const PADDING = 1_000;

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-bench-"));
  try {
    return [
      ...(await appending(folder)),
      ...(await opening(folder)),
      ...(await listing(join(folder, "many"))),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The processor's part alone shows growth that the disk's part would hide. */
const unsyncedDisk: Disk = {
  ...nodeDisk,
  syncFolder: async () => {},
  open: async (path, how) => ({ ...(await nodeDisk.open(path, how)), sync: async () => {} }),
};

async function appending(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [kind, disk] of [
    ["synced", nodeDisk],
    ["without syncs", unsyncedDisk],
  ] as const) {
    const sessions = [];
    for (const size of [SMALL, LARGE]) sessions.push(await sessionOf(size, folder, disk));
    let turn = LARGE;
    const [small, large] = await interleaved(sessions.map((session) => () => playTurn(session, ++turn)));
    for (const session of sessions) await session.writer.close();
    const row = compare(`save a turn at ${LARGE} messages, ${kind}`, large, `at ${SMALL}`, small);
    rows.push(row);
  }
  return rows;
}

async function opening(folder: string): Promise<Row[]> {
  const written = await sessionOf(LARGE, folder, unsyncedDisk);
  await written.writer.close();
  const { paths } = written.writer;
  const [clean, parse] = await interleaved([
    () => openAndClose(paths),
    async () => void JSON.parse(readFileSync(paths.snapshot, "utf8")),
  ]);
  rmSync(paths.snapshot);
  const journal = readFileSync(paths.journal);
  const [crashed, parseLines] = await interleaved([
    async () => {
      rmSync(paths.snapshot, { force: true });
      writeFileSync(paths.journal, journal);
      return openAndClose(paths);
    },
    async () => {
      for (const line of readFileSync(paths.journal, "utf8").split("\n")) if (line !== "") JSON.parse(line);
    },
  ]);
  return [
    compare(`open ${LARGE} messages`, clean, "JSON.parse of the file", parse),
    compare(`open ${LARGE} messages after a crash`, crashed, "JSON.parse of its lines", parseLines),
  ];
}

/** Milliseconds until the session can be used. */
async function openAndClose(paths: SessionPaths): Promise<number> {
  const start = performance.now();
  const opened = await openSession(paths);
  const took = performance.now() - start;
  if (opened.type !== "open") throw new Error(`The session is ${opened.type}.`);
  await opened.session.writer.close();
  return took;
}

async function listing(folder: string): Promise<Row[]> {
  const template = await sessionOf(SMALL, folder, unsyncedDisk);
  await template.writer.close();
  const { journal, snapshot } = template.writer.paths;
  const [journalBytes, snapshotBytes] = [readFileSync(journal), readFileSync(snapshot)];
  mkdirSync(folder, { recursive: true });
  for (let at = 1; at < SESSIONS; at++) {
    const stem = join(folder, `${PROJECT}_${String(at).padStart(8, "0")}-0000-4000-8000-000000000000`);
    writeFileSync(`${stem}.jsonl`, journalBytes);
    writeFileSync(`${stem}.json`, snapshotBytes);
  }
  const [list, stat] = await interleaved([
    async () => {
      const { length } = await listSessions(folder);
      if (length !== SESSIONS) throw new Error(`${length} sessions were listed.`);
    },
    async () => {
      for (const file of readdirSync(folder)) statSync(join(folder, file));
    },
  ]);
  return [compare(`list ${SESSIONS} sessions`, list, "readdir and stat", stat)];
}

async function sessionOf(messages: number, folder: string, disk: Disk): Promise<OpenSession> {
  const settings = { folder, projectId: PROJECT, workingDirectory: "/", model: "demo:scripted" };
  const session = createSession({ ...settings, disk: unsyncedDisk });
  const turns = Math.ceil(messages / MESSAGES_PER_TURN);
  for (let turn = 1; turn <= turns; turn++) await playTurn(session, turn, { padding: PADDING });
  if (disk === unsyncedDisk) return session;
  await session.writer.close();
  const opened = await openSession(session.writer.paths, { disk });
  if (opened.type !== "open") throw new Error(`The session is ${opened.type}.`);
  return opened.session;
}

/** The low quartile of each, in milliseconds, taken in turn: a neighbour on the machine only ever adds. */
async function interleaved(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const samples: number[][] = works.map(() => []);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const [at, work] of works.entries()) {
      const start = performance.now();
      const own = await work();
      if (round >= WARM_UP_ROUNDS)
        samples[at]?.push(typeof own === "number" ? own : performance.now() - start);
    }
  }
  return samples.map((each) => spreadOf(each).low);
}

function compare(what: string, value = Number.NaN, yardstickName = "", yardstick = Number.NaN): Row {
  return { name: what, value, unit: "ms", yardstick, yardstickName, ratio: value / yardstick };
}
