// The mode auto in the app: what the person sees of a review, that they can stop it, and that a resumed session has it.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionMode } from "../../src/domain/permission.ts";
import type { FrontEvent, SessionOpening } from "../../src/front/contract.ts";
import { Desk } from "../../src/front/desk.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { fold } from "../../src/tui/state/fold.ts";
import { INITIAL_VIEW } from "../../src/tui/state/view-state.ts";
import { overJson } from "../support/json-front.ts";
import { scriptedProject } from "../support/scripted-project.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-auto-")));
const root = join(home, "project");
mkdirSync(join(root, ".git"), { recursive: true });
afterAll(() => rmSync(home, { recursive: true }));

const write = (filepath: string): ScriptedTurn => [
  { call: "write_file", args: { filepath, content: "x\n" } },
];
const verdict = (given: "allow" | "ask", reason: string): ScriptedTurn => [
  { text: JSON.stringify({ verdict: given, reason }) },
];

/** One model plays both: a request without tools comes from the reviewer. */
function open(
  turns: readonly ScriptedTurn[],
  reviews: readonly ScriptedTurn[],
  mode: PermissionMode = "auto",
) {
  const left = { turns: [...turns], reviews: [...reviews] };
  const model = scriptedModel({
    turns: ({ tools }) => (tools.length === 0 ? left.reviews : left.turns).shift() ?? [{ text: "Done." }],
  });
  const ports = scriptedProject({ cwd: root, env: { HOME: home }, session: { type: "new" }, model, mode });
  const front = overJson(new Desk(ports));
  const events: FrontEvent[] = [];
  front.subscribe((event) => events.push(event));
  const until = async (isSo: (event: FrontEvent) => boolean, from = 0): Promise<FrontEvent> => {
    for (let tries = 0; tries < 500; tries++) {
      const found = events.slice(from).find(isSo);
      if (found !== undefined) return found;
      await Bun.sleep(5);
    }
    throw new Error(`It never came:\n${events.map((event) => JSON.stringify(event)).join("\n")}`);
  };
  const say = async (text: string, end: FrontEvent["type"]) => {
    const from = events.length;
    front.send({ type: "say", text });
    return until(({ type }) => type === end, from);
  };
  const rows = () =>
    [...view().transcript.done, ...view().transcript.live].flatMap((entry) =>
      entry.kind === "notice" ? [`${entry.tone} ${entry.text}`] : [],
    );
  const view = () => events.reduce(fold, INITIAL_VIEW);
  return { ports, front, events, until, say, rows, view };
}

test("a review is a row of the transcript and a line of /permissions, also after a resume", async () => {
  const turns = [write("a.txt"), write("b.txt")];
  const app = open(turns, [
    verdict("allow", "you asked for a.txt"),
    verdict("ask", "nobody asked\u001b[2J for b.txt"),
  ]);
  app.front.send({ type: "open", session: { type: "new" } });
  const running = app.say("write a.txt", "work-ended");
  const asked = await app.until(({ type }) => type === "question-asked");
  if (asked.type !== "question-asked") throw new Error("No question.");
  app.front.send({
    type: "answer",
    question: asked.question.id,
    answer: { type: "permission", answer: { type: "deny" } },
  });
  await running;
  expect([existsSync(join(root, "a.txt")), existsSync(join(root, "b.txt"))]).toEqual([true, false]);
  const expected = [
    expect.stringMatching(/^quiet auto: allowed .*a\.txt: you asked for a\.txt$/),
    expect.stringMatching(/^quiet auto: did not allow .*b\.txt: nobody asked for b\.txt$/),
  ];
  expect(app.rows().filter((row) => row.includes("auto:"))).toEqual(expected);

  const listed = async (front: typeof app) => {
    const panel = await front.say("/permissions reviews", "panel");
    return panel.type === "panel" ? panel.panel.rows.map(([what, call]) => `${what} ${call}`) : [];
  };
  const lines = [
    expect.stringMatching(/^left to you .*b\.txt: nobody asked for b\.txt \(demo:script\)$/),
    expect.stringMatching(/^allowed .*a\.txt: you asked for a\.txt \(demo:script\)$/),
  ];
  expect(await listed(app)).toEqual(lines);
  const opened = app.events.find((event) => event.type === "session-opened") as SessionOpening | undefined;
  await app.front.close();

  const later = open([], []);
  later.front.send({ type: "open", session: { type: "resume", id: opened?.status.sessionId ?? "" } });
  await later.until(({ type }) => type === "session-opened");
  expect(later.rows().filter((row) => row.includes("auto:"))).toEqual(expected);
  expect(await listed(later)).toEqual(lines);
  const choice = await later.say("/permissions", "choice-asked");
  expect(choice).toMatchObject({
    choice: { items: expect.arrayContaining([expect.objectContaining({ value: "reviews" })]) },
  });
  await later.front.close();
});

test("while a review runs the person sees it, and a stop ends it at once", async () => {
  const app = open([write("c.txt")], [[{ hang: true }]]);
  app.front.send({ type: "open", session: { type: "new" } });
  const running = app.say("write c.txt", "work-ended");
  await app.until((event) => event.type === "agent" && event.event.type === "review-start");
  expect(app.view().request?.activity).toMatch(/^Reviewing: .*c\.txt$/);
  app.front.send({ type: "stop" });
  await running;
  expect(existsSync(join(root, "c.txt"))).toBe(false);
  expect(app.events).toContainEqual(
    expect.objectContaining({ event: expect.objectContaining({ outcome: { type: "aborted" } }) }),
  );
  await app.front.close();
});

test("auto can be chosen only where the person has switched it on", async () => {
  const app = open([], [], "ask");
  app.front.send({ type: "open", session: { type: "new" } });
  const modes = async () => {
    const asked = await app.say("/permissions", "choice-asked");
    if (asked.type !== "choice-asked") return [];
    app.front.send({ type: "choose", choice: asked.choice.id, value: null });
    return asked.choice.items.map(({ value }) => value);
  };
  expect(await modes()).not.toContain("auto");
  expect(app.view()).toMatchObject({ mode: "ask", autoOn: false });
  await app.say("/permissions auto", "note");
  expect(app.view()).toMatchObject({ mode: "auto", autoOn: true });
  app.front.send({ type: "set-mode", mode: "read-only" });
  expect(await modes()).toContain("auto");
  // Plan mode gives it back.
  await app.say("/permissions auto", "note");
  await app.say("/plan", "note");
  expect(app.view()).toMatchObject({ mode: "read-only", planning: true });
  await app.say("/plan", "note");
  expect(app.view()).toMatchObject({ mode: "auto", planning: false });
  await app.front.close();
});
