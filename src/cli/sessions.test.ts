// The command line lists, shows, searches, repairs and deletes a person's sessions.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../test/support/command.ts";
import { playTurn } from "../../test/support/scripted-session.ts";
import { createSession } from "../session/open.ts";
import { sessionFolder } from "../session/paths.ts";
import { projectIdOf } from "../session/project.ts";

const root = mkdtempSync(join(tmpdir(), "tunacode-sessions-"));
const project = join(root, "project");
const environment = { HOME: root };
const folder = sessionFolder(environment);
const ID = "12345678-0000-4000-8000-000000000000";
mkdirSync(project);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const sessions = (...args: string[]) => runCommand(["sessions", ...args], { cwd: project, env: environment });
const doctor = (...args: string[]) => runCommand(["doctor", ...args], { cwd: project, env: environment });

beforeAll(async () => {
  const projectId = projectIdOf(project);
  const session = createSession({
    folder,
    projectId,
    sessionId: ID,
    workingDirectory: project,
    model: "demo:x",
  });
  await playTurn(session, 1);
  await session.writer.title("A \u001b[31mred\u001b[0m title");
  await session.writer.close();
});

test("sessions are listed without control sequences", async () => {
  const { code, stdout } = await sessions();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^12345678 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}demo:scripted {2}A red title\n$/);
  const [first] = JSON.parse((await sessions("list", "--output", "json")).stdout);
  expect(first).toMatchObject({ session_id: ID, model: "demo:scripted", working_directory: project });
});

test("a session is shown as text, or completely in the file format", async () => {
  const { stdout } = await sessions("show", "1234");
  expect(stdout).toContain("> prompt-1.");
  expect(stdout).toContain("[bash call-1-0.]");
  const shown = JSON.parse((await sessions("show", ID, "--output-json")).stdout);
  expect(shown.messages).toHaveLength(4);
  expect(shown.messages[0]).toMatchObject({ kind: "request", parts: [{ part_kind: "user-prompt" }] });
});

test("a session is found by what was said in it, and by its path", async () => {
  expect((await sessions("search", "answer-1")).stdout).toContain("12345678");
  expect((await sessions("search", "nothing like it")).stdout).toBe("");
  const { stdout: path } = await sessions("path", "12");
  expect(readFileSync(path.trim(), "utf8")).toContain(ID);
});

test.each([
  [["show"], "Which session?"],
  [["show", "zzz"], "no session zzz"],
  [["dance", "1"], "not dance"],
  [["--limit", "0"], "--limit"],
  [["--output", "xml"], 'not "xml"'],
  [["--unknown"], "--unknown"],
])("%j is a usage error: %s", async (args, problem) => {
  const { code, stderr } = await sessions(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
});

test("doctor leaves a healthy session alone and makes a damaged one healthy", async () => {
  const { journal } = JSON.parse((await sessions("path", ID, "--output-json")).stdout);
  const before = readFileSync(journal);
  expect((await doctor(ID)).stdout).toContain("4 messages, healthy");
  expect(readFileSync(journal)).toEqual(before);

  rmSync(journal.replace(/jsonl$/, "json"));
  const lines = before.toString("utf8").split("\n");
  writeFileSync(journal, lines.filter((line) => !line.includes("plan-1.")).join("\n"));
  const damaged = readFileSync(journal);
  const files = readdirSync(folder);
  const planned = await doctor("--dry-run", journal);
  expect(planned.code).toBe(0);
  expect(planned.stdout).toMatch(/planned +session .*4 messages after a repair; nothing was changed/);
  expect(planned.stdout).not.toMatch(/^ok /m);
  expect(readFileSync(journal)).toEqual(damaged);
  expect(readdirSync(folder)).toEqual(files);
  const repaired = await doctor(journal);
  expect(repaired.code).toBe(0);
  expect(repaired.stdout).toContain("is missing");
  expect(repaired.stdout).toMatch(/changed +session .*repaired; the damaged file was set aside/);
  expect(repaired.stdout).not.toMatch(/^ok /m);
  const kept = new Bun.Glob(`*${ID}.jsonl.aside-*`).scanSync(folder);
  const [aside = ""] = [...kept];
  expect(readFileSync(join(folder, aside), "utf8").startsWith(damaged.toString("utf8"))).toBe(true);
  expect((await doctor(ID)).stdout).toContain("4 messages, healthy");
  expect((await sessions("show", ID)).stdout).toContain("result-1-0.");
});

test("doctor finds damage in the journal even while a good snapshot covers it", async () => {
  const { journal } = JSON.parse((await sessions("path", ID, "--output-json")).stdout);
  const shown = (await sessions("show", ID)).stdout;
  writeFileSync(journal, readFileSync(journal, "utf8").replace("result-1-0.", "result-1-X."));
  expect((await sessions("show", ID)).stdout).toBe(shown);
  const repaired = await doctor(ID);
  expect(repaired.stdout).toMatch(/^warning +damaged-line/);
  expect(repaired.stdout).toContain("4 messages, repaired; nothing was lost");
  rmSync(journal.replace(/jsonl$/, "json"));
  expect((await sessions("show", ID)).stdout).toBe(shown);
});

test("doctor says what it would do with an interrupted turn, and that of a session in use is left alone", async () => {
  const projectId = projectIdOf(project);
  const place = { folder, projectId, workingDirectory: project, model: "demo:x" };
  const session = createSession({ ...place, sessionId: "22222222-0000-4000-8000-000000000000" });
  await playTurn(session, 1);
  const id = session.state.sessionId;
  const { journal } = session.writer.paths;
  const whole = readFileSync(journal, "utf8").split("\n");
  const call = whole.findLastIndex((line) => line.includes('"started"'));
  const held = await doctor("--dry-run", id);
  expect(held.stdout).toContain("healthy");
  await session.writer.close();
  rmSync(session.writer.paths.snapshot);
  writeFileSync(journal, `${whole.slice(0, call + 1).join("\n")}\n`);
  const planned = await doctor("--dry-run", id);
  expect(planned.stdout).toMatch(/^planned +closed-call/);
  expect(readdirSync(folder).filter((name) => name.includes(id))).toHaveLength(1);
  const changed = await doctor(id);
  expect(changed.stdout).toMatch(/^changed +closed-call/);
  expect(changed.stdout).toMatch(/changed +session .*nothing was lost/);
  expect((await doctor("--dry-run", id)).stdout).toMatch(/^ok +session .*healthy/);
  expect((await sessions("delete", id)).code).toBe(0);
});

test("doctor rejects a session that doesn't exist, and a dry run without one", async () => {
  expect((await doctor("--dry-run")).code).toBe(2);
  expect((await doctor("no-such-session")).code).toBe(2);
});

test("deleting a session removes all of its files", async () => {
  expect((await sessions("delete", ID)).code).toBe(0);
  expect((await sessions()).stdout).toBe("");
  expect([...new Bun.Glob("*").scanSync(folder)]).toEqual([]);
});
