// Undo through an open agent: a scripted model, real tools, real files.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openUndo, undoOfSession } from "../../src/app/open-undo.ts";
import { filesIn, makeUndoProject, openScripted, type UndoProject } from "../support/undo-project.ts";

setDefaultTimeout(30_000);

let project: UndoProject;
beforeEach(() => {
  project = makeUndoProject();
});
afterEach(() => project.remove());

const LAST = { target: { type: "last" }, scope: "both" } as const;
const REDO = { target: { type: "redo" }, scope: "both" } as const;

test("edits and commands go back turn by turn, byte for byte and mode for mode, and forward again", async () => {
  const { agent, ask } = await openScripted(project);
  const undo = openUndo(agent);
  const prompts = [
    "write src/main.ts one\nTWO\nthree",
    "rm -rf src .env && chmod 755 notes.txt && mkdir -p empty/deep && echo new > made.txt",
    "git mv README.md LIESMICH.md && echo more >> notes.txt && ln -s notes.txt link",
  ];
  const states = [filesIn(project.root)];
  const conversations = [agent.manager.session.conversation.messages.length];
  for (const prompt of prompts) {
    await ask(prompt);
    states.push(filesIn(project.root));
    conversations.push(agent.manager.session.conversation.messages.length);
  }
  const turns = await undo.turns();
  expect(turns.map(({ prompt, lines }) => [prompt, lines])).toMatchObject([
    [prompts[0], { added: 1, removed: 1 }],
    [prompts[1], { added: 1, removed: 4 }],
    [prompts[2], { added: 2, removed: 1 }],
  ]);
  for (const at of [2, 1, 0]) {
    const back = await undo.goBack(LAST);
    expect(back.conflicts).toEqual([]);
    expect(back.prompt).toBe(prompts[at] ?? "");
    expect(back.remarks.length).toBe(at === 2 ? 1 : 0);
    expect(filesIn(project.root)).toEqual(states[at] ?? []);
    expect(agent.manager.session.conversation.messages.length).toBe(conversations[at] ?? -1);
  }
  for (const at of [1, 2, 3]) {
    const { conflicts, remarks } = await undo.goBack(REDO);
    expect(conflicts).toEqual([]);
    expect(remarks.length).toBe(at === 3 ? 1 : 0);
    expect(filesIn(project.root)).toEqual(states[at] ?? []);
    expect(agent.manager.session.conversation.messages.length).toBe(conversations[at] ?? -1);
  }
  await undo.goBack({ target: { type: "prompt", number: 1 }, scope: "both" });
  expect(filesIn(project.root)).toEqual(states[0] ?? []);
  await ask("write src/main.ts other");
  expect((await undo.branches()).map(({ title, prompts: count }) => [title, count])).toEqual([
    ["write src/main.ts one TWO three", 3],
  ]);
  await undo.goBack(LAST);
  expect(filesIn(project.root)).toEqual(states[0] ?? []);
  await agent.close();
});

test("after files went back alone the model is told with the next prompt, in a resumed session too", async () => {
  const first = await openScripted(project);
  await first.ask("write src/main.ts changed");
  await openUndo(first.agent).goBack({ ...LAST, scope: "files" });
  const { sessionId } = first.agent.manager.session;
  await first.agent.close();
  const second = await openScripted(project, { type: "resume", id: sessionId });
  await second.ask("say something");
  const told = () => second.sent().match(/src\/main.ts/g)?.length;
  expect(told()).toBe(1);
  await second.ask("say more");
  expect(told()).toBeUndefined();
  await second.agent.close();
});

test("a session that nobody has open is taken back from outside, and goes on from there", async () => {
  const before = filesIn(project.root);
  const first = await openScripted(project);
  await first.ask("rm notes.txt");
  await first.ask("write src/main.ts changed");
  const settings = { cwd: project.root, env: project.env };
  await expect(undoOfSession({ ...settings, canChange: true })).rejects.toThrow("use /undo there");
  const looking = await undoOfSession({ ...settings, canChange: false });
  expect(await looking.undo.turns()).toHaveLength(2);
  await expect(looking.undo.goBack(LAST)).rejects.toThrow("only looked at");
  await looking.close();
  await first.agent.close();
  const outside = await undoOfSession({ ...settings, canChange: true });
  const back = await outside.undo.goBack({ target: { type: "prompt", number: 1 }, scope: "both" });
  expect([back.conflicts, filesIn(project.root)]).toEqual([[], before]);
  await outside.close();
  const again = await openScripted(project, { type: "continue" });
  expect(again.agent.manager.session.conversation.messages).toHaveLength(0);
  await openUndo(again.agent).goBack(REDO);
  expect(readFileSync(join(project.root, "src/main.ts"), "utf8")).toBe("changed\n");
  expect(again.agent.manager.session.conversation.messages).toHaveLength(8);
  await again.agent.close();
});

test("what the person changed since is a conflict with a diff, and a file is read again before it is replaced", async () => {
  const { agent, ask, sent } = await openScripted(project);
  const undo = openUndo(agent);
  await ask("write src/main.ts changed");
  writeFileSync(join(project.root, "src/main.ts"), "mine\n");
  const back = await undo.goBack({ ...LAST, scope: "files" });
  const [conflict] = back.conflicts;
  expect(conflict?.canOverwrite).toBe(true);
  const diff = conflict && (await undo.diff(conflict.change));
  expect(diff).toMatchObject({ type: "text", lines: { added: 3, removed: 1 } });
  expect(readFileSync(join(project.root, "src/main.ts"), "utf8")).toBe("mine\n");
  await undo.goBack(REDO);
  await undo.goBack({ ...LAST, scope: "files" }, ["src/main.ts"]);
  expect(readFileSync(join(project.root, "src/main.ts"), "utf8")).toBe("one\ntwo\nthree\n");
  await ask("overwrite src/main.ts again");
  expect(sent()).toContain("changed since");
  expect(readFileSync(join(project.root, "src/main.ts"), "utf8")).toBe("one\ntwo\nthree\n");
  await agent.close();
});

test("a file with a key in its name does not come back under another one, and the others do", async () => {
  const env = { ...project.env, OPENAI_API_KEY: "not-a-real-key-4711" };
  const { agent, ask } = await openScripted({ ...project, env });
  writeFileSync(join(project.root, "not-a-real-key-4711"), "x");
  await ask("rm not-a-real* notes.txt");
  await openUndo(agent).goBack(LAST);
  await agent.close();
  const names = readdirSync(project.root);
  expect(names).toContain("notes.txt");
  expect(names.filter((name) => name.includes("key"))).toEqual([]);
});

test("in a copy of a session undo begins anew, and says so", async () => {
  const first = await openScripted(project);
  await first.ask("rm notes.txt");
  await first.agent.close();
  const { sessionId } = first.agent.manager.session;
  const copy = await openScripted(project, { type: "fork", id: sessionId });
  await expect(openUndo(copy.agent).goBack(LAST)).rejects.toThrow(`a copy of ${sessionId}`);
  await copy.agent.close();
});

test("what a call did while another window took the session over is taken back in the fork", async () => {
  const { agent, ask, notices } = await openScripted(project);
  await ask("say hello");
  const { sessionId } = agent.manager.session;
  const before = filesIn(project.root);
  const lease = agent.session.writer?.paths.lease;
  await ask(`rm .env; echo more >> notes.txt; rm ${lease}/*; touch ${lease}/99`);
  expect(agent.manager.session.sessionId).not.toBe(sessionId);
  const back = await openUndo(agent).goBack({ ...LAST, scope: "files" });
  expect(back.conflicts).toEqual([]);
  expect(filesIn(project.root)).toEqual(before);
  expect(notices).toHaveLength(1);
  await agent.close();
});

test("an edit in a folder that undo leaves out is taken back", async () => {
  mkdirSync(join(project.root, "node_modules/a"), { recursive: true });
  writeFileSync(join(project.root, "node_modules/a/index.js"), "one\n");
  const before = filesIn(project.root);
  const { agent, ask } = await openScripted(project);
  await ask("write node_modules/a/index.js two");
  await ask("write node_modules/b/new.js three");
  const undo = openUndo(agent);
  expect((await undo.goBack({ target: { type: "prompt", number: 1 }, scope: "both" })).conflicts).toEqual([]);
  expect(filesIn(project.root)).toEqual(before);
  await agent.close();
});

test("a session that another window has by now is not taken back here", async () => {
  const { agent, ask, notices } = await openScripted(project);
  await ask("rm notes.txt");
  const after = filesIn(project.root);
  const { sessionId } = agent.manager.session;
  const lease = agent.session.writer?.paths.lease ?? "";
  for (const name of readdirSync(lease)) rmSync(join(lease, name));
  writeFileSync(join(lease, "99"), "");
  await expect(openUndo(agent).goBack(LAST)).rejects.toThrow(`a copy of ${sessionId}`);
  expect(notices.join()).toContain("took over");
  expect(filesIn(project.root)).toEqual(after);
  await agent.close();
});
