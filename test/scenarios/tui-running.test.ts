// While a request runs: steer it, queue after it, take it back, stop it at any moment.

import { describe, expect, test } from "bun:test";
import { questionAbout } from "../support/permission-question.ts";
import { outline, tool } from "../support/scenario.ts";
import type { AppSetup } from "../support/terminal-app.ts";
import { type RunningApp, startApp } from "../support/terminal-app.ts";

/** A tool that waits until it is told to go on. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const waiting = tool("bash", "write", async () => {
    await opened;
    return "the tool is done";
  });
  return { open: () => open(), tool: waiting };
}

async function running(setup: AppSetup, sign: string): Promise<RunningApp> {
  const app = startApp({ options: { prompt: "go" }, ...setup });
  await app.see(sign);
  return app;
}

test("Enter steers: the words are delivered with the next tool results", async () => {
  const { open, tool: bash } = gate();
  const turns = [[{ call: "bash", args: { command: "make" } }], [{ text: "the end" }]];
  const app = await running({ turns, tools: [bash] }, "● Run make");
  app.type("use the other file");
  app.press("enter");
  await app.see("↳ with the next tool results: use the other file");
  open();
  const screen = (await app.see("the end")).join("\n");
  expect(screen).toContain("↳ use the other file");
  expect(screen).not.toContain("with the next tool results");
  expect(outline(app.messages())).toBe("prompt | call:bash | return:bash(completed) prompt | text");
  await app.leave();
});

test("of a file in it that can't be sent, the person is told once", async () => {
  const { open, tool: bash } = gate();
  const turns = [[{ call: "bash", args: { command: "make" } }], [{ text: "the end" }]];
  const readAttachment = async () => {
    throw new Error("It is damaged.");
  };
  const app = await running({ turns, tools: [bash], ports: { readAttachment } }, "● Run make");
  app.type("see @cut.png now");
  app.press("enter");
  await app.see("↳ with the next tool results: see @cut.png now");
  open();
  const screen = (await app.see("the end")).join("\n");
  expect(screen.split("! cut.png was not attached: It is damaged.")).toHaveLength(2);
  await app.leave();
});

test("steering that no tool result could carry is sent as the next prompt", async () => {
  const turns = [[{ text: "one" }, { delayMs: 150 }], [{ text: "two" }]];
  const app = await running({ turns }, "  one");
  app.type("and now?");
  app.press("enter");
  await app.see("  two");
  expect(outline(app.messages())).toBe("prompt | text | prompt | text");
  await app.leave();
});

test("Alt-Enter queues: the prompt is sent when the request is over", async () => {
  const { open, tool: bash } = gate();
  const turns = [[{ call: "bash", args: { command: "make" } }], [{ text: "one" }], [{ text: "two" }]];
  const app = await running({ turns, tools: [bash] }, "● Run make");
  app.type("then document it");
  app.press("altEnter");
  await app.see("↳ afterwards: then document it");
  open();
  await app.see("  two");
  expect(outline(app.messages())).toBe("prompt | call:bash | return:bash(completed) | text | prompt | text");
  await app.leave();
});

test("Alt-Up takes the last one back into the editor", async () => {
  const { open, tool: bash } = gate();
  const turns = [[{ call: "bash", args: { command: "make" } }], [{ text: "the end" }]];
  const app = await running({ turns, tools: [bash] }, "● Run make");
  app.type("first");
  app.press("enter");
  app.type("second");
  app.press("altEnter");
  await app.see("afterwards: second");
  app.press("altUp");
  await app.lose("afterwards: second");
  app.press("altUp");
  const screen = (await app.lose("with the next tool results: first")).join("\n");
  expect(screen).toContain("❯ first");
  expect(screen).toContain("  second");
  open();
  await app.see("the end");
  expect(outline(app.messages())).toBe("prompt | call:bash | return:bash(completed) | text");
  await app.leave();
});

for (const [key, sign] of [
  ["altEnter", "afterwards: then this"],
  ["enter", "with the next tool results: then this"],
] as const)
  test(`after a stop nothing starts by itself: what waited is back in the editor (${key})`, async () => {
    const { tool: bash } = gate();
    const app = await running(
      { turns: [[{ call: "bash", args: { command: "make" } }]], tools: [bash] },
      "● Run make",
    );
    app.type("then this");
    app.press(key);
    await app.see(sign);
    app.press("escape");
    await app.see("Stopped.");
    await app.see("❯ then this");
    expect(app.requests.length).toBe(1);
    await app.leave();
  });

describe("Escape stops, keeps everything and says so", () => {
  const hanging = tool("bash", "write", () => new Promise<string>(() => {}));
  const moments: [name: string, sign: string, setup: AppSetup, outline: string][] = [
    ["before the first byte", "Waiting for the model", { turns: [[{ hang: true }]] }, "prompt | interrupted"],
    [
      "while it thinks",
      "let me see",
      { turns: [[{ thought: "let me see" }, { hang: true }]] },
      "prompt | interrupted",
    ],
    ["while it writes", "so far", { turns: [[{ text: "so far" }, { hang: true }]] }, "prompt | interrupted"],
    [
      "while a tool runs that ignores it",
      "● Run make",
      { turns: [[{ call: "bash", args: { command: "make" } }]], tools: [hanging] },
      "prompt | call:bash | return:bash(cancelled) | interrupted",
    ],
    [
      "while a question waits",
      "May this command run?",
      {
        turns: [[{ call: "bash", args: { command: "make" } }]],
        tools: [hanging],
        permit:
          (person) =>
          async ({ toolName, args }, _tool, signal) => {
            const decision = { decision: "ask", reason: "why" } as const;
            const answer = await person.askPermission(questionAbout({ toolName, args, decision }), signal);
            return answer.type === "stop" ? { type: "stop" } : { type: "allow" };
          },
      },
      "prompt | call:bash | return:bash(cancelled) | interrupted",
    ],
  ];
  for (const [name, sign, setup, expected] of moments)
    test(name, async () => {
      const app = await running(setup, sign);
      app.press("escape");
      await app.see("Stopped. Everything up to here is kept");
      await app.see("Ask anything");
      expect(outline(app.messages())).toBe(expected);
      await app.leave();
    });
});

test("Ctrl-C clears the line first; twice leaves, also while a request runs", async () => {
  const app = await running({ turns: [[{ text: "so far" }, { hang: true }]] }, "so far");
  app.type("half a line");
  await app.see("❯ half a line");
  app.press("ctrlC");
  await app.see("Press Ctrl-C again to leave");
  await app.lose("half a line");
  expect(app.terminal.isStarted).toBe(true);
  app.press("ctrlC");
  expect(await app.ended).toBe(0);
  expect(app.terminal.isStarted).toBe(false);
  expect(outline(app.messages())).toContain("interrupted");
});

test("parallel tools have a panel each, with their own progress", async () => {
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const app = await running(
    {
      turns: [
        [
          { call: "research_codebase", args: { query: "where is a?" } },
          { call: "research_codebase", args: { query: "where is b?" } },
        ],
        [{ text: "the end" }],
      ],
      tools: [
        tool("research_codebase", "research", async ({ query }, { progress }) => {
          progress(`looking for ${query}\n`);
          await finished;
          return `found ${query}`;
        }),
      ],
    },
    "looking for where is b?",
  );
  const screen = (await app.terminal.screen()).join("\n");
  expect(screen).toContain("● Research where is a?");
  expect(screen).toContain("│ looking for where is a?");
  finish();
  const end = (await app.see("the end")).join("\n");
  expect(end).toContain("✓ Research where is b?");
  expect(end).toContain("│ found where is a?");
  await app.leave();
});

test("/copy and /export see the conversation as it is, in the middle of a request", async () => {
  const { open, tool: bash } = gate();
  const exported: string[] = [];
  const exportFile = async (name: string, text: string) => {
    exported.push(text);
    return `/project/${name}`;
  };
  const turns = [
    [{ text: "I will build it." }, { call: "bash", args: { command: "make" } }],
    [{ text: "the end" }],
  ];
  const app = await running({ turns, tools: [bash], ports: { exportFile } }, "● Run make");
  expect(outline(app.messages())).toBe("prompt | text call:bash");
  app.paste("/copy");
  app.press("enter");
  await app.see("Copied the last answer, 16 characters.");
  app.paste("/export talk.md");
  app.press("enter");
  await app.see("Written to /project/talk.md");
  expect(exported[0]).toContain("## You\n\ngo\n\n## tunacode\n\nI will build it.");
  open();
  await app.see("the end");
  await app.leave();
});
