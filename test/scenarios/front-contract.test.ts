// The contract of the front: everything that crosses it is data, its events are numbered, and everyone who listens
// hears the same.
import { describe, expect, test } from "bun:test";
import { memoryStateManager } from "../../src/app/agent.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import type { FrontAgent } from "../../src/front/agent.ts";
import type { Front, FrontCommand, FrontEvent, FrontEventBody } from "../../src/front/contract.ts";
import { Desk } from "../../src/front/desk.ts";
import type { FrontPorts } from "../../src/front/ports.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { overJson } from "../support/json-front.ts";
import { questionAbout } from "../support/permission-question.ts";
import { tool } from "../support/scenario.ts";
import { sessionAgent } from "../support/session-agent.ts";
import { SILENT_PORTS } from "../support/silent-ports.ts";
import { startApp } from "../support/terminal-app.ts";

type Heard<Type extends FrontEventBody["type"]> = Extract<FrontEvent, { type: Type }>;

/** Someone at a desk: remembers what was told, and waits for it. */
class Listener {
  readonly events: FrontEvent[] = [];

  constructor(desk: Desk) {
    desk.subscribe((event) => this.events.push(event));
  }

  of<Type extends FrontEventBody["type"]>(type: Type): Heard<Type>[] {
    return this.events.filter((event): event is Heard<Type> => event.type === type);
  }

  async hear<Type extends FrontEventBody["type"]>(type: Type, nth = 1): Promise<Heard<Type>> {
    for (let tries = 0; tries < 400; tries++) {
      const event = this.of(type)[nth - 1];
      if (event !== undefined) return event;
      await Bun.sleep(10);
    }
    throw new Error(`${type} never came:\n${this.events.map((event) => JSON.stringify(event)).join("\n")}`);
  }
}

function desk(
  turns: readonly ScriptedTurn[],
  ports: Partial<FrontPorts> = {},
  agent: Partial<FrontAgent> = {},
): Desk {
  const model = scriptedModel({ name: "demo:script", turns });
  return new Desk({
    ...SILENT_PORTS,
    openAgent: async (_choice, person) => ({
      ...sessionAgent({
        manager: memoryStateManager({
          createModel: async () => model,
          tools: [tool("bash", "write", () => "done")],
          permit: async ({ toolName, args }, _tool, signal) => {
            const decision = { decision: "ask", reason: "it writes" } as const;
            const answer = await person.askPermission(questionAbout({ toolName, args, decision }), signal);
            return answer.type === "once" ? { type: "allow" } : { type: "deny", reason: "no" };
          },
        }),
        session: { id: "s", resumed: false, notices: [] },
        model: () => model,
        switchModel: async () => {},
        setThinking: async () => {},
        permissionMode: () => "ask",
        setPermissionMode: () => {},
        compact: async function* () {},
        rename: async () => {},
        close: async () => {},
      }),
      ...agent,
    }),
    ...ports,
  });
}

const CALL: ScriptedTurn = [{ text: "I try.\n" }, { call: "bash", args: { command: "make" } }];
const YES = { type: "permission", answer: { type: "once" } } as const;
const NO = { type: "permission", answer: { type: "deny" } } as const;

describe("events", () => {
  test("are numbered without a gap, and survive JSON as they are, failures too", async () => {
    const front = desk([CALL, [{ text: "the end" }], [{ fail: new Error("the vendor is ill") }]]);
    const listener = new Listener(front);
    front.send({ type: "open", session: { type: "new" } });
    front.send({ type: "say", text: "go" });
    const { question } = await listener.hear("question-asked");
    front.send({ type: "answer", question: question.id, answer: YES });
    await listener.hear("work-ended");
    for (const line of ["!ls", "/help", "/cost", "/doctor", "/plan", "fail now"])
      front.send({ type: "say", text: line });
    front.send({ type: "say", text: "/permissions" });
    const { choice } = await listener.hear("choice-asked");
    expect(choice.about).toEqual({ text: "No rules." });
    front.send({ type: "choose", choice: choice.id, value: "yolo" });
    await listener.hear("work-ended", 2);
    await front.close();

    const { events } = listener;
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    // The first tells how things stood before anything had happened.
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index));
    const outcomes = listener
      .of("agent")
      .flatMap(({ event }) => (event.type === "request-end" ? [event.outcome] : []));
    expect(outcomes).toEqual([
      { type: "completed" },
      { type: "failed", code: "internal", message: "the vendor is ill", error: null },
    ]);
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set([
        "agent",
        "choice-asked",
        "choice-settled",
        "commands-changed",
        "note",
        "outputs-waiting",
        "panel",
        "prompt-sent",
        "question-asked",
        "question-settled",
        "session-opened",
        "shell-ended",
        "shell-started",
        "status-changed",
        "work-ended",
      ]),
    );
  });

  test("are the same for two who listen; the first answer counts, and the second is told so", async () => {
    const front = desk([CALL, [{ text: "the end" }]]);
    const [one, other] = [new Listener(front), new Listener(front)];
    front.send({ type: "open", session: { type: "new" } });
    front.send({ type: "say", text: "go" });
    const { question } = await other.hear("question-asked");
    front.send({ type: "answer", question: question.id, answer: YES });
    front.send({ type: "answer", question: question.id, answer: NO, words: "too late" });
    await one.hear("work-ended");
    // But for the first, which tells each of them how things stood when they came.
    expect(one.events.slice(1)).toEqual(other.events.slice(1));
    expect(one.of("question-settled")).toMatchObject([{ question: question.id, answer: YES }]);
    expect(one.of("note")).toMatchObject([{ text: "That question is already answered." }]);
    const ended = one.of("agent").flatMap(({ event }) => (event.type === "tool-end" ? [event.status] : []));
    expect(ended).toEqual(["completed"]);
    await front.close();
  });

  test("reach the others where one who listens fails", async () => {
    const front = desk([[{ text: "the end" }]]);
    front.subscribe(() => {
      throw new Error("a window that is gone");
    });
    const listener = new Listener(front);
    front.send({ type: "open", session: { type: "new" } });
    front.send({ type: "say", text: "go" });
    await listener.hear("work-ended");
    await front.close();
  });
});

test("whoever comes late is told how things stand, the open question too", async () => {
  const front = desk([CALL, [{ text: "the end" }]]);
  const first = new Listener(front);
  front.send({ type: "open", session: { type: "new" } });
  front.send({ type: "say", text: "go" });
  const asked = await first.hear("question-asked");
  front.send({ type: "say", text: "and then?", later: true });
  await first.hear("queue-changed");
  const late = new Listener(front);
  expect(late.of("session-opened")).toMatchObject([
    { status: { sessionId: "s", model: { name: "demo:script" } } },
  ]);
  expect(late.of("question-asked")).toMatchObject([{ question: asked.question }]);
  expect(late.of("queue-changed")).toMatchObject([{ queue: [{ kind: "follow-up", text: "and then?" }] }]);
  expect(late.of("work-started").length).toBe(1);
  const told = first.events.at(-1)?.number;
  expect(new Set(late.events.map(({ number }) => number))).toEqual(new Set([told ?? 0]));
  front.send({ type: "answer", question: asked.question.id, answer: NO });
  await late.hear("question-settled");
  await front.close();
});

test("a value that isn't on the list chooses nothing, and a list that is closed takes no choice", async () => {
  const front = desk([]);
  const listener = new Listener(front);
  const send = (command: FrontCommand) => front.send(command);
  send({ type: "open", session: { type: "new" } });
  send({ type: "say", text: "/thinking" });
  const { choice } = await listener.hear("choice-asked");
  send({ type: "choose", choice: choice.id, value: "forever" });
  send({ type: "choose", choice: choice.id, value: "high" });
  expect(listener.of("choice-settled")).toMatchObject([{ choice: choice.id, value: null }]);
  await front.close();
});

test("what is said while the conversation is summed up is sent afterwards", async () => {
  const summing = Promise.withResolvers<void>();
  const compact = async function* (): AsyncGenerator<AgentEvent, void> {
    await summing.promise;
    yield { type: "notice", text: "summed up" };
  };
  const front = desk([[{ text: "the end" }]], {}, { compact });
  const listener = new Listener(front);
  front.send({ type: "open", session: { type: "new" } });
  front.send({ type: "say", text: "/compact" });
  await listener.hear("work-started");
  front.send({ type: "say", text: "and then?" });
  await listener.hear("queue-changed");
  summing.resolve();
  expect((await listener.hear("prompt-sent")).text).toBe("and then?");
  await listener.hear("work-ended", 2);
  await front.close();
});

test("what waits from a person's own commands goes with them into a copy", async () => {
  const front = desk([[{ text: "the end" }]], { runShell: async () => ({ output: "seen", exitCode: 0 }) });
  const listener = new Listener(front);
  front.send({ type: "open", session: { type: "new" } });
  front.send({ type: "say", text: "!ls" });
  await listener.hear("outputs-waiting");
  front.send({ type: "say", text: "/fork" });
  await listener.hear("session-opened", 2);
  front.send({ type: "say", text: "go" });
  await listener.hear("work-ended");
  const prompts = listener.of("agent").map(({ event }) => JSON.stringify(event));
  expect(prompts.some((text) => /\$ ls\\n<outside [^>]*>\\nseen/.test(text))).toBe(true);
  await front.close();
});

test("the terminal app works at a desk that it knows through JSON alone", async () => {
  const app = startApp({
    through: overJson,
    options: { prompt: "go" },
    turns: [CALL, [{ text: "the end" }]],
    tools: [tool("bash", "write", () => "done")],
    permit:
      (person) =>
      async ({ toolName, args }, _tool, signal) => {
        const decision = { decision: "ask", reason: "it writes" } as const;
        const answer = await person.askPermission(questionAbout({ toolName, args, decision }), signal);
        return answer.type === "once" ? { type: "allow" } : { type: "stop" };
      },
    ports: { listModels: async () => [{ name: "a:one" }] },
  });
  await app.see("May this command run?");
  app.type("y");
  await app.see("the end");
  await app.over();
  app.paste("/model");
  app.press("enter");
  await app.see("a:one");
  app.press("down", "enter");
  await app.see("The model is a:one from the next request on.");
  app.paste("!ls");
  app.press("enter");
  await app.see("goes with your next prompt");
  app.paste("/copy");
  app.press("enter");
  await app.see("Copied the last answer");
  expect(await app.leave()).toBe(0);
});

test("words about a question that somebody else has answered go to no other question, and are kept", async () => {
  const fronts: Front[] = [];
  const app = startApp({
    through: (front) => {
      fronts.push(front);
      return front;
    },
    options: { prompt: "go" },
    turns: [
      [
        { call: "t", args: { n: 1 } },
        { call: "t", args: { n: 2 } },
      ],
      [{ text: "the end" }],
    ],
    tools: [tool("t", "read", ({ n }) => `${n}`)],
    permit:
      (person) =>
      async ({ toolName, args }, _tool, signal) => {
        const decision = { decision: "ask", reason: "why" } as const;
        const answer = await person.askPermission(questionAbout({ toolName, args, decision }), signal);
        return answer.type === "once" ? { type: "allow" } : { type: "deny", reason: answer.type };
      },
  });
  await app.see("(1 of 2)");
  app.type("n");
  await app.see("what the model should do instead");
  app.type("half a thought");
  await app.see("half a thought");
  for (const front of fronts) front.send({ type: "answer", question: 1, answer: YES });
  await app.lose("what the model should do instead");
  // Right after their words, a letter is one more of them.
  await Bun.sleep(650);
  app.type("y");
  await app.see("the end");
  await app.see("❯ half a thought");
  expect(JSON.stringify(app.requests[1]?.messages.at(-1))).not.toContain("half a thought");
  await app.leave();
});
