// Plain mode: the same conversation in lines, with nothing drawn over.

import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { memoryStateManager } from "../../src/app/agent.ts";
import type { Person } from "../../src/app/settings.ts";
import { Desk } from "../../src/front/desk.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { runPlainApp } from "../../src/tui/plain-app.ts";
import type { UndoScript } from "../support/fake-undo.ts";
import { offering, questionAbout } from "../support/permission-question.ts";
import { tool } from "../support/scenario.ts";
import { sessionAgent } from "../support/session-agent.ts";
import { SILENT_PORTS } from "../support/silent-ports.ts";

function start(turns: readonly ScriptedTurn[], ask = false, undo: UndoScript = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  let printed = "";
  output.on("data", (data) => {
    printed += data;
  });
  const model = scriptedModel({ turns });
  const openAgent = async (_choice: unknown, person: Person) =>
    sessionAgent({
      manager: memoryStateManager({
        createModel: async () => model,
        tools: [tool("bash", "write", () => "some output")],
        permit: async ({ toolName, args }, _tool, signal) => {
          if (!ask) return { type: "allow" };
          const decision = { decision: "ask", reason: "it writes" } as const;
          const answer = await person.askPermission(
            questionAbout({ toolName, args, decision, offers: offering("bash(ls)") }),
            signal,
          );
          return answer.type === "deny" ? { type: "deny", reason: answer.words ?? "no" } : { type: "allow" };
        },
      }),
      session: { id: "s", resumed: false, notices: [] },
      undo,
      model: () => ({ name: model.name }),
      switchModel: async () => {},
      setThinking: async () => {},
      permissionMode: () => "ask",
      setPermissionMode: () => {},
      compact: async function* () {},
      rename: async () => {},
      close: async () => {},
    });
  const ended = runPlainApp(
    new Desk({ ...SILENT_PORTS, openAgent, listModels: async () => [{ name: "a:one" }, { name: "a:two" }] }),
    { session: { type: "new" }, input, output },
  );
  return {
    ended,
    send: (line: string) => input.write(`${line}\n`),
    hear: async (text: string) => {
      for (let tries = 0; !printed.includes(text); tries++) {
        if (tries > 400) throw new Error(`${text} never came:\n${printed}`);
        await Bun.sleep(10);
      }
      return printed;
    },
  };
}

test("a turn is told in words, without colours, boxes or movement", async () => {
  const app = start([
    [{ text: "I look.\n" }, { call: "bash", args: { command: "ls" } }],
    [{ text: "Here:\n\n```ts\nconst a = 1;\n```" }],
  ]);
  await app.hear("tunacode is ready");
  app.send("go");
  const printed = await app.hear("Done after");
  for (const words of [
    "I look.",
    "Tool: Run ls: completed",
    "some output",
    "Code (ts):\nconst a = 1;\nEnd of code.",
  ])
    expect(printed).toContain(words);
  for (const sign of ["\u001b", "\r", "│", "╭", "─"]) expect(printed).not.toContain(sign);
  app.send("/exit");
  expect(await app.ended).toBe(0);
  await app.hear("To go on: tunacode --resume s\n");
});

test("a question is answered with a letter, and with words", async () => {
  const app = start([[{ call: "bash", args: { command: "rm x" } }], [{ text: "the end" }]], true);
  await app.hear("tunacode is ready");
  app.send("go");
  await app.hear("Question: May this command run? Run rm x");
  await app.hear("Type y, a, n, s:");
  app.send("what?");
  await app.hear("That is no answer, so it is taken as a prompt. Type y, a, n, s:");
  app.send("n");
  await app.hear("What should the model do instead?");
  app.send("keep it");
  const printed = await app.hear("the end");
  expect(printed).toContain("Tool: Run rm x: refused");
  expect(printed).toContain("keep it");
  app.send("/exit");
  await app.ended;
});

test("a line that was typed before a question answers no question", async () => {
  const app = start(
    [
      [{ call: "bash", args: { command: "rm x" } }],
      [{ call: "bash", args: { command: "rm \u202ey\rz" } }],
      [{ text: "the end" }],
    ],
    true,
  );
  await app.hear("tunacode is ready");
  app.send("go");
  await app.hear("Question: May this command run? Run rm x");
  app.send("y\ny\nyes please");
  await app.hear("Question: May this command run? Run rm ⟨U+202E⟩y⟨U+000D⟩z");
  await Bun.sleep(100);
  const printed = await app.hear("Tool: Run rm x: completed");
  expect(printed).not.toContain("the end");
  app.send("y");
  await app.hear("the end");
  app.send("/exit");
  await app.ended;
});

test("/copy says that it needs a screen", async () => {
  const app = start([[{ text: "an answer" }]]);
  await app.hear("tunacode is ready");
  app.send("go");
  await app.hear("Done after");
  app.send("/copy");
  await app.hear("Note: Only the app on a screen can copy.");
  app.send("/exit");
  await app.ended;
});

test("a list is chosen from by number, and the end of the input is the end", async () => {
  const app = start([]);
  await app.hear("tunacode is ready");
  app.send("/model");
  await app.hear("3: a:two.");
  app.send("3");
  await app.hear("The model is a:two");
  app.send("/exit");
  await app.ended;
});

test("what is listed is told a row a line, and the rules follow the modes", async () => {
  const app = start([]);
  await app.hear("tunacode is ready");
  app.send("/help");
  await app.hear("Keys:\nEnter: send;");
  await app.hear("Commands:\n/help: keys and commands\n");
  app.send("/cost");
  await app.hear("Written: 0 tokens\n");
  app.send("/permissions");
  await app.hear(
    "4: yolo. asks nothing; deny rules still apply\n5: rules. choose a rule to remove it\nNo rules.\nType a number",
  );
  app.send("");
  app.send("/exit");
  await app.ended;
});

test("going back, conflicts and what changed are lines and numbers, too", async () => {
  const diff = "@@ -1 +1 @@\n-old\n+new";
  const app = start([[{ text: "first" }], [{ text: "second" }]], false, {
    changes: { 2: { "a.txt": diff, "b.txt": diff } },
    conflicts: { "b.txt": { why: "It was changed since.", canOverwrite: true, diff } },
  });
  await app.hear("tunacode is ready");
  app.send("one");
  await app.hear("first");
  app.send("two");
  await app.hear("second");
  app.send("/diff");
  await app.hear("Prompt 2: two\na.txt: changed, +1 −1.\n1 - old\n1 + new\nb.txt: changed");
  app.send("/rewind");
  await app.hear("Go back to before:\n1: one. just now\n2: two. +2 −2, 2 files · just now\n");
  app.send("2");
  await app.hear("1: Files and conversation. 1 file, 1 changed since");
  app.send("1");
  await app.hear("Not as the run left it: b.txt:\n1: Leave it as it is.");
  await app.hear("It was changed since. - is there now, + would be put back:\n1 - old\n1 + new\n");
  app.send("1");
  await app.hear(
    "Note: Went back to before: two\n1 file put back: a.txt.\nLeft as it is: b.txt. To be asked again: /redo, then /rewind.\n",
  );
  await app.hear("Your prompt was: two");
  app.send("/tree");
  await app.hear("Conversations that were left:\n1: two. 2 prompts · left just now");
  app.send("");
  app.send("/redo");
  await app.hear("What was taken back is there again.");
  app.send("/exit");
  expect(await app.ended).toBe(0);
});
