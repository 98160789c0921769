// What a person sees, and the model gets, of a conversation that was summed up, stopped or left unanswered: the
// terminal app on real session files.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionChoice } from "../../src/app/settings.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import { type Script, scriptedModel } from "../../src/models/scripted.ts";
import { createSession } from "../../src/session/open.ts";
import { sessionFolder } from "../../src/session/paths.ts";
import { projectIdOf } from "../../src/session/project.ts";
import { addMessage } from "../../src/session/reduce.ts";
import { outline, scenario } from "../support/scenario.ts";
import { scriptedProject } from "../support/scripted-project.ts";
import { type RunningApp, startApp } from "../support/terminal-app.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-summed-up-")));
const cwd = join(home, "project");
mkdirSync(cwd);
afterAll(() => rmSync(home, { recursive: true }));
const env = { HOME: home, PATH: process.env["PATH"] ?? "", OPENAI_API_KEY: "sk-of-a-person-1234" };

interface Lab {
  readonly app: RunningApp;
  readonly requests: ModelRequest[];
}

function start(turns: Script["turns"], session: SessionChoice = { type: "new" }): Lab {
  const requests: ModelRequest[] = [];
  const model = scriptedModel({
    name: "openai:gpt-4o",
    contextWindow: 100_000,
    turns,
    onRequest: (request) => requests.push({ ...request, messages: [...request.messages] }),
  });
  const { openAgent } = scriptedProject({ cwd, env, session, model, mode: "yolo" });
  return { app: startApp({ ports: { openAgent }, options: { session }, rows: 120 }), requests };
}

async function say(app: RunningApp, words: string, shown: string): Promise<void> {
  app.type(words);
  app.press("enter");
  await app.see(shown);
  await app.until(async () => !(await app.terminal.screen()).some((line) => line.includes("Esc stops")));
}

/** The newest session that holds the text. */
function sessionWith(text: string): { readonly id: string; readonly journal: string } {
  const folder = sessionFolder(env);
  for (const name of readdirSync(folder)) {
    const journal = name.endsWith(".jsonl") ? readFileSync(join(folder, name), "utf8") : "";
    if (journal.includes(text)) return { id: name.replace(/^.*_|\.jsonl$/g, ""), journal };
  }
  throw new Error(`No session holds ${text}.`);
}

const times = (text: string, words: string) => text.split(words).length - 1;

test("after /compact twice and /resume the conversation is shown as it was, and the model has every prompt", async () => {
  let summaries = 0;
  const turns: Script["turns"] = ({ system, messages }) => {
    if (system.startsWith("You condense")) return [{ text: `digest ${++summaries}` }];
    const prompt = messages.at(-1)?.parts.findLast((part) => part.kind === "user-prompt");
    return [
      { text: `Answer to ${prompt?.kind === "user-prompt" ? prompt.content : ""}.\n${"word ".repeat(90)}` },
    ];
  };
  const { app, requests } = start(turns);
  for (const words of ["question one", "question two"]) await say(app, words, `Answer to ${words}.`);
  await say(app, "/compact", "— summed up here: ");
  await say(app, "question three", "Answer to question three.");
  await say(app, "/compact", "— summed up here: ");
  await app.until(() => summaries === 2);
  await say(app, "question four", "Answer to question four.");
  const live = (await app.terminal.screen()).join("\n");
  await app.leave();
  const last = JSON.stringify(requests.at(-1)?.messages);
  for (const words of ["question one", "question two", "question three", "question four"])
    expect([words, times(last.replaceAll("Answer to question", ""), words)]).toEqual([words, 1]);
  expect(last).toContain("digest 2");

  const { id } = sessionWith("question one");
  const again = start([], { type: "resume", id });
  await again.app.see("Resumed");
  const resumed = (await again.app.see("Answer to question four.")).join("\n");
  for (const screen of [live, resumed]) {
    expect(times(screen, "— summed up here: ")).toBe(2);
    expect(screen).not.toContain("[Summary of the earlier conversation]");
    for (const words of ["one", "two", "three", "four"]) {
      expect([words, times(screen, `❯ question ${words}`)]).toEqual([words, 1]);
      expect([words, times(screen, `Answer to question ${words}.`)]).toEqual([words, 1]);
    }
  }
  expect(resumed.indexOf("question two")).toBeLessThan(resumed.indexOf("— summed up here: "));
  again.app.press("ctrlO");
  await again.app.see("digest 2");
  again.app.press("escape");
  await again.app.leave();
});

test("/compact of two short turns says that there is nothing to gain, and asks no model", async () => {
  const { app, requests } = start([[{ text: "Hello." }], [{ text: "Bye." }]]);
  await say(app, "hi", "Hello.");
  await say(app, "bye", "Bye.");
  await say(app, "/compact", "There is nothing to gain");
  expect(requests).toHaveLength(2);
  await app.leave();
});

test("after Esc the model is given the output that the person saw", async () => {
  const command = "for i in 1 2 3; do echo seen-$i; done; sleep 60";
  const { app, requests } = start([[{ call: "bash", args: { command } }], [{ text: "I see three." }]]);
  app.type("run it");
  app.press("enter");
  await app.see("seen-3");
  app.press("escape");
  await app.see("Stopped.");
  await say(app, "what was there?", "I see three.");
  const sent = JSON.stringify(requests.at(-1)?.messages);
  expect(sent).toMatch(
    /seen-1\\nseen-2\\nseen-3\\n\[This much of its output was shown\. Interrupted while it ran\. Its effects are unknown/,
  );
  await app.leave();
});

/** A session whose only prompt was recorded when the program was killed. */
async function killedSession(words: string): Promise<string> {
  const place = { projectId: projectIdOf(cwd), workingDirectory: cwd, model: "openai:gpt-4o" };
  const session = createSession({ folder: sessionFolder(env), ...place });
  await session.writer.prompt(words, "r");
  await session.writer.close();
  return session.state.sessionId;
}

test("the returned prompt, changed and sent, replaces the unanswered one; the journal keeps both", async () => {
  const id = await killedSession("rename the parser");
  const { app, requests } = start([[{ text: "Done." }]], { type: "resume", id });
  const opened = (await app.see("it is back in the editor")).join("\n");
  expect(times(opened, "never answered")).toBe(1);
  await say(app, " and the lexer", "Done.");
  const sent = JSON.stringify(requests.at(-1)?.messages);
  expect(times(sent, "rename the parser")).toBe(1);
  expect(sent).toContain("rename the parser and the lexer");
  expect(sent).not.toContain("[INTERRUPTED]");
  await app.leave();
  const { journal } = sessionWith("rename the parser and the lexer");
  expect(journal).toContain('"rename the parser"');
});

test("what is written after the returned prompt was cleared follows it", async () => {
  const id = await killedSession("count the tests");
  const { app, requests } = start([[{ text: "Yes." }]], { type: "resume", id });
  await app.see("it is back in the editor");
  app.press("ctrlC");
  await app.see("Press Ctrl-C again");
  await say(app, "are you there?", "Yes.");
  expect(outline(requests.at(-1)?.messages ?? [])).toBe("prompt | interrupted | prompt");
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain("count the tests");
  await app.leave();
});

test("one old return of 5 MB is shortened, and nothing is summed up", async () => {
  const run = scenario([[{ text: "ok" }]], [], { contextWindow: 100_000 });
  const call = { toolCallId: "c", toolName: "read_file" };
  const history: Message[] = [
    { kind: "request", parts: [{ kind: "user-prompt", content: "read it" }] },
    { kind: "response", parts: [{ kind: "tool-call", ...call, args: {} }] },
    {
      kind: "request",
      parts: [{ kind: "tool-return", ...call, content: `begin ${"x".repeat(5_000_000)} end` }],
    },
    { kind: "response", parts: [{ kind: "text", content: `I read it.${" word".repeat(50_000)}` }] },
  ];
  for (const message of history) addMessage(run.manager.session, message);
  const { outcome, events, messages } = await run.ask("and now?");
  expect(outcome.type).toBe("completed");
  expect(events.flatMap((event) => (event.type === "compaction" ? [event.summary] : []))).toEqual([null]);
  expect(run.requests).toHaveLength(1);
  const told = JSON.stringify(messages);
  expect(told.length).toBeLessThan(320_000);
  for (const kept of ["read it", "begin x", "x end", "I read it."]) expect(told).toContain(kept);
});
