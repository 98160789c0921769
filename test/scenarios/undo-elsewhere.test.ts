// Undo of a session that is not where it worked: resumed in another folder, or brought from another machine.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openUndo, undoOfSession } from "../../src/app/open-undo.ts";
import { sessionFolder } from "../../src/session/paths.ts";
import { filesIn, makeUndoProject, openScripted, type UndoProject } from "../support/undo-project.ts";

setDefaultTimeout(30_000);

let project: UndoProject;
beforeEach(() => {
  project = makeUndoProject();
});
afterEach(() => project.remove());

const LAST = { target: { type: "last" }, scope: "both" } as const;

/** A session whose only prompt changed, removed and made a file, and is over. */
async function workedSession(): Promise<string> {
  const { agent, ask } = await openScripted(project);
  await ask("echo more >> notes.txt; rm .env; echo made > made.txt");
  await agent.close();
  return agent.session.state.sessionId;
}

test("a session that is resumed in another project takes back nothing there, and all of it from outside", async () => {
  const before = filesIn(project.root);
  const id = await workedSession();
  const root = join(project.home, "other");
  mkdirSync(root);
  // The same file as the one that the session made.
  cpSync(join(project.root, "made.txt"), join(root, "made.txt"));
  const { agent } = await openScripted({ ...project, root }, { type: "resume", id });
  const back = await openUndo(agent).goBack(LAST);
  expect(back.changes).toEqual([]);
  const stayed = back.conflicts.map(({ change, canOverwrite }) => [change.path, canOverwrite]);
  expect(stayed.toSorted()).toEqual(
    [".env", "made.txt", "notes.txt"].map((name) => [join(project.root, name), false]),
  );
  expect(readdirSync(root)).toEqual(["made.txt"]);
  await openUndo(agent).goBack({ target: { type: "redo" }, scope: "both" });
  await agent.close();
  const outside = await undoOfSession({ cwd: root, env: project.env, session: id, canChange: true });
  expect((await outside.undo.goBack(LAST)).conflicts).toEqual([]);
  await outside.close();
  expect(filesIn(project.root)).toEqual(before);
});

test("a session goes on in a project that was moved", async () => {
  const before = filesIn(project.root);
  const id = await workedSession();
  const root = join(project.home, "moved");
  renameSync(project.root, root);
  const { agent } = await openScripted({ ...project, root }, { type: "resume", id });
  expect((await openUndo(agent).goBack(LAST)).conflicts).toEqual([]);
  expect(filesIn(root)).toEqual(before);
  await openUndo(agent).goBack({ target: { type: "redo" }, scope: "both" });
  await agent.close();
  const outside = await undoOfSession({ cwd: root, env: project.env, session: id, canChange: true });
  expect((await outside.undo.goBack(LAST)).conflicts).toEqual([]);
  await outside.close();
  expect(filesIn(root)).toEqual(before);
});

test("a folder above that became a repository since doesn't change which files are meant", async () => {
  const root = join(project.root, "below");
  mkdirSync(root);
  renameSync(join(project.root, ".git"), join(project.home, "aside"));
  writeFileSync(join(root, "kept.txt"), "kept\n");
  const { agent, ask } = await openScripted({ ...project, root });
  await ask("rm kept.txt; echo made > made.txt");
  await agent.close();
  renameSync(join(project.home, "aside"), join(project.root, ".git"));
  const resumed = await openScripted(
    { ...project, root },
    { type: "resume", id: agent.session.state.sessionId },
  );
  expect((await openUndo(resumed.agent).goBack(LAST)).conflicts).toEqual([]);
  await resumed.agent.close();
  expect(filesIn(root)).toEqual(['kept.txt 644 "kept\\n"']);
});

test("a session file from elsewhere has no say outside the project that the person is in", async () => {
  const id = await workedSession();
  const home = filesIn(project.root);
  const root = join(project.home, "other");
  const sessions = sessionFolder(project.env);
  cpSync(sessions, root, { recursive: true });
  const file = readdirSync(root).find((name) => name.endsWith(`${id}.jsonl`)) ?? "";
  const { undo, close } = await undoOfSession({
    cwd: root,
    env: project.env,
    session: join(root, file),
    canChange: true,
  });
  const back = await undo.goBack(LAST);
  await close();
  expect(back.changes).toEqual([]);
  expect(back.conflicts.map(({ why }) => why.split(",")[0])).toEqual(
    Array(3).fill("It is outside this project"),
  );
  expect(filesIn(project.root)).toEqual(home);
  expect(readFileSync(join(project.root, "made.txt"), "utf8")).toBe("made\n");
});
