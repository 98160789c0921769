import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playTurn } from "../../test/support/scripted-session.ts";
import { createSession } from "./open.ts";
import { searchSessions } from "./search.ts";
import { deleteSession, findSession, listSessions } from "./store.ts";

const folder = join(mkdtempSync(join(tmpdir(), "tunacode-store-")), "sessions");
afterAll(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

/** Three sessions, made in this order; the second one crashed, the third is of another project. */
const IDS = ["aaaa1111", "aaaa2222", "bbbb3333"].map((start) => `${start}-0000-4000-8000-000000000000`);
const PROJECTS = ["0".repeat(16), "0".repeat(16), "1".repeat(16)];

beforeAll(async () => {
  for (const [at, sessionId] of IDS.entries()) {
    const projectId = PROJECTS[at] ?? "";
    const session = createSession({
      folder,
      projectId,
      sessionId,
      workingDirectory: "/work",
      model: "demo:x",
    });
    await session.writer.prompt(`Question number ${at}\nwith "details" and ünïcode`, "r");
    await playTurn(session, at + 1);
    await session.writer.keepAside("output.txt", "much");
    if (at === 1) await session.writer.record({ type: "request-end", outcome: { type: "aborted" } });
    else await session.writer.close();
    for (const file of [session.writer.paths.journal, session.writer.paths.snapshot])
      if (existsSync(file)) utimesSync(file, 1_000 + at, 1_000 + at);
  }
});

test("sessions are listed newest first with their titles, crashed ones included", async () => {
  const all = await listSessions(folder);
  expect(all.map(({ paths }) => paths.sessionId)).toEqual(IDS.toReversed());
  expect(all.map(({ title }) => title)).toEqual(
    [2, 1, 0].map((at) => `Question number ${at} with "details" and ünïcode`),
  );
  expect(all[1]).toMatchObject({ workingDirectory: "/work", model: "demo:x" });
});

test("a list can be limited to one project and to a number", async () => {
  const ids = (list: Awaited<ReturnType<typeof listSessions>>) => list.map(({ paths }) => paths.sessionId);
  expect(ids(await listSessions(folder, { projectIds: ["0".repeat(16)] }))).toEqual([
    IDS[1] ?? "",
    IDS[0] ?? "",
  ]);
  expect(ids(await listSessions(folder, { limit: 1 }))).toEqual([IDS[2] ?? ""]);
  expect(await listSessions(join(folder, "missing"))).toEqual([]);
});

test("a session is found by a unique prefix of its id", async () => {
  expect(await findSession(folder, "b")).toMatchObject({ type: "found", paths: { sessionId: IDS[2] } });
  expect(await findSession(folder, "aaaa")).toEqual({ type: "ambiguous", ids: [IDS[0] ?? "", IDS[1] ?? ""] });
  expect(await findSession(folder, IDS[0] ?? "")).toMatchObject({ type: "found" });
  expect(await findSession(folder, "c")).toEqual({ type: "missing" });
  expect(await findSession(folder, "")).toEqual({ type: "missing" });
});

test("sessions are found by what was said in them", async () => {
  const found = async (words: string) => {
    const hits: string[] = [];
    for await (const { session, excerpt } of searchSessions(folder, words))
      hits.push(`${session.paths.sessionId.slice(0, 4)} ${excerpt}`);
    return hits;
  };
  expect(await found("ANSWER-1.")).toEqual(["aaaa answer-1."]);
  expect(await found("number 2")).toEqual(['bbbb Question number 2 with "details" and ünïcode']);
  expect(await found("part_kind")).toEqual([]);
});

test("only the person can read what is on disk", () => {
  const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
  expect(mode(folder)).toBe("700");
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const facts = lstatSync(join(folder, name));
    // A symlink has no mode; its folder does.
    if (facts.isSymbolicLink()) continue;
    expect(`${name} ${mode(join(folder, name))}`).toBe(`${name} ${facts.isDirectory() ? "700" : "600"}`);
  }
});

test("a session is deleted with everything beside it, but not while a window writes to it", async () => {
  const [third, second] = await listSessions(folder);
  if (third === undefined || second === undefined) throw new Error("The sessions are gone.");
  expect((await deleteSession(second.paths)).type).toBe("held");
  expect((await deleteSession(third.paths)).type).toBe("deleted");
  expect(readdirSync(folder).filter((name) => name.includes("bbbb"))).toEqual([]);
  expect(existsSync(second.paths.files)).toBe(true);
});
