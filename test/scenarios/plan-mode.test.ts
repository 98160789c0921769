// What the model is told about plan mode, and the output of a person's own commands, are not the person's words.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelRequest } from "../../src/domain/model.ts";
import type { FrontEvent } from "../../src/front/contract.ts";
import { Desk } from "../../src/front/desk.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { fold } from "../../src/tui/state/fold.ts";
import { INITIAL_VIEW } from "../../src/tui/state/view-state.ts";
import { outline } from "../support/scenario.ts";
import { scriptedProject } from "../support/scripted-project.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-plan-")));
const root = join(home, "project");
mkdirSync(join(root, ".git"), { recursive: true });
writeFileSync(join(root, "notes.txt"), "content of the notes");
afterAll(() => rmSync(home, { recursive: true }));

const env = { HOME: home };
const requests: ModelRequest[] = [];
const model = scriptedModel({
  name: "demo:script",
  turns: [[{ call: "list_dir", args: {} }], [{ text: "the plan is made" }]],
  onRequest: (request) => {
    requests.push({ ...request, messages: [...request.messages] });
    if (requests.length === 1) front.send({ type: "say", text: "and the tests" });
  },
});
const ports = scriptedProject({ cwd: root, env, session: { type: "new" }, model, mode: "auto-edit" });
const front = new Desk(ports);
const events: FrontEvent[] = [];
front.subscribe((event) => events.push(event));

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (isSo()) return;
    await Bun.sleep(10);
  }
  throw new Error(`It never came:\n${events.map((event) => JSON.stringify(event)).join("\n")}`);
}

async function say(text: string, end: FrontEvent["type"]): Promise<void> {
  const before = events.length;
  front.send({ type: "say", text });
  await until(() => events.slice(before).some(({ type }) => type === end));
}

test("the model is told about plan mode with every prompt; titles, lists and transcripts are the person's words", async () => {
  front.send({ type: "open", session: { type: "new" } });
  await say("!echo seen", "shell-ended");
  await say("/plan rename it, see @notes.txt", "work-ended");

  const [first, second] = requests.map(({ messages }) => messages.at(-1));
  expect(outline(requests[1]?.messages ?? [])).toBe(
    "remark prompt | call:list_dir | return:list_dir(completed) remark prompt",
  );
  expect(JSON.stringify(first)).toMatch(/\$ echo seen\\n<outside [^>]*>\\nseen\\n/);
  expect(JSON.stringify(first)).toContain("content of the notes");
  for (const message of [first, second]) expect(JSON.stringify(message)).toContain("[Plan mode:");

  await until(() => events.reduce(fold, INITIAL_VIEW).title !== "");
  const shown = events.reduce(fold, INITIAL_VIEW);
  const [listed] = await ports.listSessions();
  const title = "rename it, see @notes.txt";
  expect([shown.title, listed?.title]).toEqual([title, title]);
  for (const told of ["Written to", "told.md exists. Written to"]) {
    await say("/export told.md", "note");
    expect(events.at(-1)).toMatchObject({ text: expect.stringContaining(told) });
  }
  await front.close();

  const resumed = new Desk(ports);
  const later: FrontEvent[] = [];
  resumed.subscribe((event) => later.push(event));
  resumed.send({ type: "open", session: { type: "resume", id: listed?.id ?? "" } });
  await resumed.lookups.messages();
  const replayed = later.reduce(fold, INITIAL_VIEW);
  const prompts = [shown, replayed].map(({ transcript }) =>
    [...transcript.done, ...transcript.live].flatMap((entry) =>
      entry.kind === "prompt" ? [entry.text] : [],
    ),
  );
  expect(prompts).toEqual([
    [title, "and the tests"],
    [title, "and the tests"],
  ]);
  expect(JSON.stringify(replayed.transcript)).toContain("$ echo seen");
  await resumed.close();

  const leaks = [
    JSON.stringify(shown.transcript),
    JSON.stringify(replayed.transcript),
    await ports.previewSession(listed?.id ?? ""),
    (await ports.promptHistory()).join("\n"),
    readFileSync(join(root, "told.md"), "utf8"),
  ].filter((text) => text.includes("[Plan mode:"));
  expect(leaks).toEqual([]);
});
