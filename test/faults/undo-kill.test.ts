// Kills a process that goes back, at each step that the journal knows and at random moments between. The next start in
// the project, with another session, finishes it: files and conversation are both back, or both as they were.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { undoOfSession } from "../../src/app/open-undo.ts";
import { filesIn, makeUndoProject, openScripted, type UndoProject } from "../support/undo-project.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const MOMENTS = LONG ? Array.from({ length: 60 }, (_, at) => `${at * 4}`) : ["60"];

setDefaultTimeout(120_000);

let project: UndoProject;
beforeEach(() => {
  project = makeUndoProject();
});
afterEach(() => project.remove());

const DRIVER = join(import.meta.dir, "../support/undo-driver.ts");

test.each(["restoring", "restored", "written", ...MOMENTS])("a kill at %s", async (point) => {
  const before = filesIn(project.root);
  const first = await openScripted(project);
  await first.ask("for i in $(seq 40); do echo $i > made-$i.txt; done; rm -rf src notes.txt .env");
  await first.ask("write README.md other");
  await first.agent.close();
  const after = filesIn(project.root);
  const { sessionId: session } = first.agent.manager.session;

  const child = spawnSync(process.execPath, [DRIVER, project.home, session, point], { stdio: "pipe" });
  if (!/^\d/.test(point)) expect({ point, signal: child.signal }).toEqual({ point, signal: "SIGKILL" });

  const other = await openScripted(project);
  const files = filesIn(project.root);
  await other.agent.close();
  const found = await undoOfSession({ cwd: project.root, env: project.env, session, canChange: true });
  const isBack = (await found.undo.turns()).length === 0;
  expect(files).toEqual(isBack ? before : after);
  // The files were back, and the conversation was not.
  if (point === "restored") expect(other.notices).toEqual([expect.stringContaining("is finished now")]);
  if (point === "restoring") expect(isBack).toBe(false);
  if (point === "restored" || point === "written") expect(isBack).toBe(true);
  const target = isBack ? ({ type: "redo" } as const) : ({ type: "prompt", number: 1 } as const);
  expect((await found.undo.goBack({ target, scope: "both" })).conflicts).toEqual([]);
  expect(filesIn(project.root)).toEqual(isBack ? after : before);
  expect(await found.undo.turns()).toHaveLength(isBack ? 2 : 0);
  await found.close();
});
