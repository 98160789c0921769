// Questions to the person, answered in every way there is.

import { describe, expect, test } from "bun:test";
import { newBudget } from "../../src/domain/limits.ts";
import type { PermissionQuestion, PersonAnswer } from "../../src/domain/permission.ts";
import { offering, questionAbout } from "../support/permission-question.ts";
import { outline, tool } from "../support/scenario.ts";
import { type RunningApp, startApp } from "../support/terminal-app.ts";

const ASKED = {
  toolName: "bash",
  args: { command: "rm -rf build" },
  decision: { decision: "ask", reason: "rm deletes files.", commands: ["rm -rf build"] },
  offers: offering("bash(rm -rf build)"),
} as const;
const QUESTION = questionAbout(ASKED);

interface Asked {
  readonly app: RunningApp;
  readonly answers: PersonAnswer[];
  readonly ran: () => number;
}

async function asked(question: PermissionQuestion = QUESTION, columns = 80): Promise<Asked> {
  const answers: PersonAnswer[] = [];
  let ran = 0;
  const app = startApp({
    columns,
    // Not typed: whoever has just typed isn't taken by the word, see below.
    options: { prompt: "go" },
    turns: [[{ call: question.toolName, args: question.args }], [{ text: "the end" }]],
    tools: [
      tool(question.toolName, "write", () => {
        ran++;
        return "done";
      }),
    ],
    permit: (person) => async (_call, _tool, signal) => {
      const answer = await person.askPermission(question, signal);
      answers.push(answer);
      if (answer.type === "stop") return { type: "stop" };
      if (answer.type === "deny") return { type: "deny", reason: answer.words ?? "no" };
      return { type: "allow" };
    },
  });
  await app.see("Yes");
  return { app, answers, ran: () => ran };
}

describe("a question", () => {
  test("shows what would run and why it is asked", async () => {
    const { app } = await asked();
    const text = (await app.terminal.screen()).join("\n");
    for (const words of [
      "May this command run?",
      "rm -rf build",
      "Asked because: rm deletes files.",
      "don't ask again in this session: bash(rm -rf build)",
    ])
      expect(text).toContain(words);
    app.press("escape");
    await app.leave();
  });

  test("yes", async () => {
    const { app, answers, ran } = await asked();
    app.type("y");
    await app.see("the end");
    expect(answers).toEqual([{ type: "once" }]);
    expect(ran()).toBe(1);
    await app.leave();
  });

  test("yes, and don't ask again, chosen with the arrows", async () => {
    const { app, answers } = await asked();
    app.press("down", "enter");
    await app.see("the end");
    expect(answers).toEqual([{ type: "offer", offer: 0 }]);
    await app.leave();
  });

  test("no, with words for the model", async () => {
    const { app, answers, ran } = await asked();
    app.type("n");
    await app.see("what the model should do instead");
    app.type("move it away");
    app.press("enter");
    await app.see("the end");
    expect(answers).toEqual([{ type: "deny", words: "move it away" }]);
    expect(JSON.stringify(app.requests[1]?.messages.at(-1))).toContain("move it away");
    expect((await app.terminal.screen()).some((line) => /^⊘ Run rm -rf build +refused$/.test(line))).toBe(
      true,
    );
    expect(ran()).toBe(0);
    await app.leave();
  });

  test("Escape while writing the words goes back to the question", async () => {
    const { app, answers } = await asked();
    app.type("n");
    await app.see("what the model should do instead");
    app.press("escape");
    await app.lose("what the model should do instead");
    app.type("y");
    await app.see("the end");
    expect(answers).toEqual([{ type: "once" }]);
    await app.leave();
  });

  for (const [name, key] of [
    ["s", "s"],
    ["Escape", "\u001b"],
  ] as const)
    test(`${name} stops the request`, async () => {
      const { app, answers, ran } = await asked();
      app.terminal.input(key);
      await app.see("Stopped.");
      expect(answers).toEqual([{ type: "stop" }]);
      expect(ran()).toBe(0);
      expect(outline(app.messages())).toBe("prompt | call:bash | return:bash(cancelled) | interrupted");
      await app.leave();
    });

  test("without a rule to propose offers no 'always'", async () => {
    const { app } = await asked({ ...QUESTION, offers: [] });
    expect((await app.terminal.screen()).join("\n")).not.toContain("don't ask again");
    app.press("escape");
    await app.leave();
  });

  test("shows characters that would hide what a command does", async () => {
    const command = "echo \u202egnp.txt\u202c; \u001b[8mrm -rf ~\u001b[0m";
    const { app } = await asked(questionAbout({ ...ASKED, args: { command } }));
    const text = (await app.terminal.screen()).join("\n");
    expect(text).toContain("$ echo ⟨U+202E⟩gnp.txt⟨U+202C⟩; ⟨U+001B⟩[8mrm -rf ~⟨U+001B⟩[0m");
    app.press("escape");
    await app.leave();
  });

  test("about an edit shows the change", async () => {
    const args = { filepath: "a.ts", old_text: "const a = 1;\nsame", new_text: "const a = 2;\nsame" };
    const diff = "@@ -9,2 +9,2 @@\n-const a = 1;\n+const a = 2;\n same";
    const preview = { type: "diff", diff, numbered: true } as const;
    const { app } = await asked(questionAbout({ ...ASKED, toolName: "update_file", args, preview }));
    const text = (await app.terminal.screen()).join("\n");
    expect(text).toContain("May this file be edited?");
    expect(text).toContain(" 9 - const a = 1;");
    expect(text).toContain(" 9 + const a = 2;");
    expect(text).toContain("10   same");
    app.press("escape");
    await app.leave();
  });

  test("longer than the screen keeps its choices in sight, and Ctrl-O shows the rest", async () => {
    const command = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join("\n");
    const { app } = await asked(questionAbout({ ...ASKED, args: { command } }));
    const text = (await app.terminal.screen()).join("\n");
    expect(text).toContain("y  Yes");
    expect(text).toContain("Ctrl-O shows all");
    app.press("ctrlO");
    await app.see("Esc closes");
    app.press("pageUp");
    await app.see("echo 40");
    app.press("escape");
    await app.see("May this command run?");
    app.press("escape");
    await app.leave();
  });
});

test("a question that appears while someone types is not answered by their words", async () => {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const answers: PersonAnswer[] = [];
  const app = startApp({
    turns: [[{ call: "bash", args: { command: "x" } }], [{ text: "the end" }]],
    tools: [tool("bash", "write", () => "done")],
    permit: (person) => async (_call, _tool, signal) => {
      await opened;
      answers.push(await person.askPermission(QUESTION, signal));
      return { type: "allow" };
    },
  });
  await app.see("Ask anything");
  app.type("go");
  app.press("enter");
  await app.see("Esc stops");
  app.type("please be ver");
  open?.();
  await app.see("May this command run?");
  app.type("y careful");
  await Bun.sleep(100);
  expect(answers).toEqual([]);
  await Bun.sleep(650);
  app.type("y");
  await app.see("the end");
  await app.see("❯ please be very careful");
  await app.leave();
});

test("questions are asked one at a time", async () => {
  const app = startApp({
    options: { prompt: "go" },
    turns: [
      [
        { call: "read_file", args: { filepath: "a" } },
        { call: "read_file", args: { filepath: "b" } },
      ],
      [{ text: "the end" }],
    ],
    tools: [tool("read_file", "read", ({ filepath }) => `content of ${filepath}`)],
    permit:
      (person) =>
      async ({ toolName, args }, _tool, signal) => {
        await person.askPermission({ ...QUESTION, toolName, args }, signal);
        return { type: "allow" };
      },
  });
  await app.see("(1 of 2)");
  app.type("y");
  await app.lose("(1 of 2)");
  app.type("y");
  await app.see("the end");
  await app.leave();
});

describe("a plan", () => {
  async function planned(): Promise<RunningApp> {
    const app = startApp({
      options: { prompt: "/plan make it better" },
      turns: [[{ call: "present_plan", args: { plan: "1. look\n2. *change*" } }], [{ text: "the end" }]],
      tools: (person) => [
        tool("present_plan", "read", ({ plan }, { signal }) => person.askAboutPlan(String(plan), signal)),
      ],
    });
    await app.see("Is this plan right?");
    expect(app.mode()).toBe("read-only");
    expect(JSON.stringify(app.requests[0]?.messages.at(-1))).toContain("[Plan mode:");
    return app;
  }
  const returned = (app: RunningApp) => JSON.stringify(app.requests[1]?.messages.at(-1));

  test("is approved: plan mode ends", async () => {
    const app = await planned();
    app.type("y");
    await app.see("the end");
    expect(returned(app)).toContain("approved the plan");
    expect(app.mode()).toBe("ask");
    await app.leave();
  });

  test("gets feedback: plan mode goes on", async () => {
    const app = await planned();
    app.type("n");
    await app.see("what the model should do instead");
    app.type("smaller steps");
    app.press("enter");
    await app.see("the end");
    expect(returned(app)).toContain("They say: smaller steps");
    expect(app.mode()).toBe("read-only");
    await app.leave();
  });

  test("is left: plan mode ends, nothing is approved", async () => {
    const app = await planned();
    app.type("l");
    await app.see("the end");
    expect(returned(app)).toContain("without approving");
    expect(app.mode()).toBe("ask");
    await app.leave();
  });

  test("is refused without a word: plan mode goes on", async () => {
    const app = await planned();
    app.type("n");
    await app.see("what the model should do instead");
    app.press("enter");
    await app.see("the end");
    expect(returned(app)).toContain("did not approve");
    expect(app.mode()).toBe("read-only");
    await app.leave();
  });

  for (const key of ["escape", "ctrlC"] as const)
    test(`is stopped with ${key}: plan mode goes on, and the next prompt says so`, async () => {
      const app = await planned();
      app.press(key);
      await app.see("Stopped.");
      expect(app.mode()).toBe("read-only");
      app.type("go on");
      app.press("enter");
      await app.see("the end");
      expect(JSON.stringify(app.requests[1]?.messages.at(-1))).toContain("[Plan mode:");
      await app.leave();
    });

  test("stays on the screen when it is stopped; the model is told when plan mode is over", async () => {
    const app = await planned();
    app.press("escape");
    await app.see("Stopped.");
    await app.see("│ 1. look");
    for (const line of ["/plan", "now do it", "and more"]) {
      app.type(line);
      app.press("enter");
      await app.see(line === "/plan" ? "Plan mode is off." : `❯ ${line}`);
      await app.lose("Esc stops");
    }
    const told = app.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(told.map((text) => text.includes("[Plan mode is over:"))).toEqual([true, false]);
    expect(told.map((text) => text.includes("[Plan mode: look"))).toEqual([false, false]);
    await app.leave();
  });

  test("is asked for again in a copy of the conversation", async () => {
    const app = await planned();
    app.press("escape");
    await app.see("Stopped.");
    app.type("/fork");
    app.press("enter");
    await app.see("A copy.");
    await app.see("plan ·");
    expect(app.mode()).toBe("read-only");
    await app.leave();
  });
});

test("a limit asks whether to go on", async () => {
  const app = startApp({
    options: { prompt: "go" },
    turns: (_request, call) => (call < 3 ? [{ call: "t", args: { call } }] : [{ text: "the end" }]),
    tools: [tool("t", "read", ({ call }) => `${call}`)],
    agentPorts: (person) => ({ loop: { maxIterations: 2 }, askToGoOn: person.askToGoOn }),
  });
  await app.see("the limit of 2 model calls");
  app.type("y");
  await app.see("the end");
  await app.leave();
});

test("a model that only repeats itself is asked about after ten responses, and no makes it sum up", async () => {
  const app = startApp({
    options: { prompt: "go" },
    turns: ({ toolChoice }) => (toolChoice === "none" ? [{ text: "so far" }] : [{ call: "t" }]),
    tools: [tool("t", "read", () => "same")],
    agentPorts: (person) => ({ askToGoOn: person.askToGoOn }),
  });
  await app.see("10 responses in a row with the same calls");
  app.type("n");
  await app.see("so far");
  expect(app.requests.length).toBe(11);
  await app.leave();
});

test("Escape at that question stops at once: nothing more is asked of the model", async () => {
  const app = startApp({
    options: { prompt: "go" },
    turns: () => [{ call: "t" }],
    tools: [tool("t", "read", () => "same")],
    agentPorts: (person) => ({ askToGoOn: person.askToGoOn }),
  });
  await app.see("10 responses in a row with the same calls");
  app.press("escape");
  await app.see("Stopped. Everything up to here is kept");
  expect(app.requests.length).toBe(10);
  expect(outline(app.messages())).toEndWith("return:t(completed) | interrupted");
  await app.leave();
});

test("a limit on tokens is told with what to do about it", async () => {
  const app = startApp({
    options: { prompt: "go" },
    agentPorts: () => ({ budget: newBudget({ totalTokens: 100 }) }),
  });
  await app.see("--max-total-tokens, or start a new session.");
  expect(app.requests.length).toBe(0);
  await app.leave();
});
