// The screen itself: nothing is lost, nothing flickers, nothing hostile gets through, at any size and in any script.

import { describe, expect, test } from "bun:test";
import type { Message } from "../../src/domain/message.ts";
import { questionAbout } from "../support/permission-question.ts";
import { tool } from "../support/scenario.ts";
import { type AppSetup, type RunningApp, startApp } from "../support/terminal-app.ts";

const numbered = (count: number, word = "line") =>
  Array.from({ length: count }, (_, index) => `${word} ${index}.`).join("\n\n");

async function play(turns: AppSetup["turns"], setup: AppSetup = {}): Promise<RunningApp> {
  const app = startApp({ turns: turns ?? [], options: { prompt: "go" }, ...setup });
  await app.over();
  return app;
}

describe("the scrollback", () => {
  test("holds every line of a long answer exactly once, in order", async () => {
    const app = await play([[{ text: numbered(300), deltas: 400 }]]);
    const lines = (await app.terminal.everything()).filter((line) => /line \d+\./.test(line));
    expect(lines.map((line) => line.trim())).toEqual(
      Array.from({ length: 300 }, (_, index) => `line ${index}.`),
    );
    await app.leave();
  });

  test("holds every line even when they come faster than they can be drawn", async () => {
    const count = 20_000;
    const app = startApp({
      options: { prompt: "go" },
      agent: {
        run: async function* () {
          yield { type: "request-start", requestId: "1", model: "demo:script" };
          for (let index = 0; index < count; index++) {
            if (index % 2_000 === 0) await Bun.sleep(0);
            yield { type: "text-delta", text: `line ${index}.\n\n` };
          }
          yield { type: "request-end", outcome: { type: "completed" } };
          return { type: "completed" };
        },
      },
    });
    await app.over();
    const lines = (await app.terminal.everything()).filter((line) => /line \d+\./.test(line));
    expect(lines.length).toBe(count);
    expect(lines.every((line, index) => line.trim() === `line ${index}.`)).toBe(true);
    await app.leave();
  });

  test("keeps what stood on the screen before the app, at every size", async () => {
    const app = startApp({
      turns: [[{ text: numbered(3) }]],
      before: "$ an earlier command\r\nits output\r\n$ tunacode\r\n",
    });
    await app.see("Ask anything");
    app.type("go");
    app.press("enter");
    await app.over();
    for (const [columns, rows] of [
      [60, 24],
      [50, 30],
      [100, 20],
      [80, 24],
    ] as const) {
      await app.resize(columns, rows);
    }
    const lines = (await app.terminal.everything()).map((line) => line.trim()).filter((line) => line !== "");
    expect(lines.slice(0, 3)).toEqual(["$ an earlier command", "its output", "$ tunacode"]);
    expect(lines.filter((line) => /^line \d\.$/.test(line))).toEqual(["line 0.", "line 1.", "line 2."]);
    expect(lines.filter((line) => line.includes("Ask anything")).length).toBe(1);
    await app.leave();
    expect(app.terminal.written).not.toContain("\u001b[3J");
    expect(app.terminal.written).not.toContain("\u001b[2J");
  });

  test("has every line once after the height alone has changed", async () => {
    const app = await play([[{ text: numbered(60) }]]);
    for (const rows of [12, 40, 8, 24]) {
      // What was drawn shortly before may have been drawn too high: then a few lines are written once more.
      await Bun.sleep(550);
      await app.resize(80, rows);
    }
    const lines = (await app.terminal.everything()).flatMap((line) => /line \d+\./.exec(line)?.[0] ?? []);
    expect(lines).toEqual(Array.from({ length: 60 }, (_, index) => `line ${index}.`));
    await app.leave();
  });

  test("has every row of a table once, too", async () => {
    const table = ["| a |", "|---|", ...Array.from({ length: 30 }, (_, index) => `| row ${index}. |`)];
    const app = await play([[{ text: `${table.join("\n")}\n\nend` }]]);
    for (const rows of [12, 40]) {
      await Bun.sleep(550);
      await app.resize(80, rows);
    }
    const rows = (await app.terminal.everything()).flatMap((line) => /row \d+\./.exec(line)?.[0] ?? []);
    expect(rows).toEqual(Array.from({ length: 30 }, (_, index) => `row ${index}.`));
    await app.leave();
  });

  test("has hardly a line twice after every size has changed", async () => {
    const app = await play([[{ text: numbered(60) }]]);
    for (const [columns, rows] of [
      [50, 20],
      [120, 40],
      [40, 12],
      [80, 24],
    ] as const) {
      await app.resize(columns, rows);
    }
    const lines = (await app.terminal.everything()).flatMap((line) => /line \d+\./.exec(line)?.[0] ?? []);
    expect(new Set(lines).size).toBe(60);
    // A line that was in sight in part, once for each size.
    expect(lines.length).toBeLessThanOrEqual(64);
    await app.leave();
  });

  test("loses no line when the terminal is resized while it streams", async () => {
    const steps = Array.from({ length: 120 }, (_, index) => [
      { text: `line ${index}.\n\n` },
      { delayMs: 4 },
    ]).flat();
    const app = startApp({ turns: [steps], options: { prompt: "go" } });
    await app.see("line 10.");
    for (const [columns, rows] of [
      [50, 24],
      [120, 30],
      [40, 12],
      [80, 24],
    ] as const) {
      await app.resize(columns, rows);
    }
    await app.over();
    const seen = new Set((await app.terminal.everything()).flatMap((line) => /line \d+\./.exec(line) ?? []));
    expect(seen.size).toBe(120);
    await app.leave();
  });

  test("gets an open block that is higher than the screen when it is closed, whole and once", async () => {
    const table = [
      "| a | b |",
      "|---|---|",
      ...Array.from({ length: 60 }, (_, index) => `| row ${index} | x |`),
    ].join("\n");
    const app = await play([[{ text: `${table}\n\nafter`, deltas: 90 }]], { rows: 16 });
    const rows = (await app.terminal.everything()).flatMap((line) => /row \d+/.exec(line)?.[0] ?? []);
    expect(rows).toEqual(Array.from({ length: 60 }, (_, index) => `row ${index}`));
    await app.leave();
  });
});

describe("bytes", () => {
  test("written per delta are bounded, however long the answer is", async () => {
    const app = startApp({
      turns: [Array.from({ length: 400 }, (_, index) => [{ text: `word${index} ` }, { delayMs: 2 }]).flat()],
      options: { prompt: "go" },
    });
    await app.see("word0");
    const before = app.terminal.written.length;
    await app.see("Ask anything");
    expect((app.terminal.written.length - before) / 400).toBeLessThan(1_500);
    await app.leave();
  });

  test("a key costs the same in a long conversation as in a short one", async () => {
    const history = (count: number): Message[] =>
      Array.from({ length: count }, (_, index) =>
        index % 2 === 0
          ? { kind: "request", parts: [{ kind: "user-prompt", content: `question ${index}` }] }
          : { kind: "response", parts: [{ kind: "text", content: `answer ${index}` }] },
      );
    const cost = async (count: number) => {
      const app = startApp({ history: history(count) });
      await app.see("Ask anything");
      await app.see(`answer ${count - 1}`);
      const before = app.terminal.written.length;
      app.type("x");
      await app.see("❯ x");
      const written = app.terminal.written.length - before;
      await app.leave();
      return written;
    };
    expect(await cost(10_000)).toBeLessThan((await cost(10)) + 200);
  });
});

test("10,000 messages are resumed with the newest in sight and all of them in the pager", async () => {
  const history: Message[] = Array.from({ length: 10_000 }, (_, index) =>
    index % 2 === 0
      ? { kind: "request", parts: [{ kind: "user-prompt", content: `question ${index}` }] }
      : { kind: "response", parts: [{ kind: "text", content: `answer ${index}` }] },
  );
  const app = startApp({ history });
  await app.see("answer 9999");
  expect((await app.terminal.everything()).join("\n")).toContain("9,700 earlier messages");
  app.press("ctrlO");
  await app.see("Esc closes");
  app.press("home");
  await app.see("❯ question 0");
  await app.see("answer 1");
  app.press("escape");
  await app.leave();
});

describe("at any size", () => {
  const text =
    "# A heading that is rather long for this\n\nSome *text* with a_very_long_word_that_has_no_place_to_break_at_all_anywhere and `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst something = { with: 'a long line', that: 'has to be wrapped', somewhere: true };\n```\n";
  for (const [columns, rows] of [
    [40, 12],
    [20, 8],
    [80, 24],
    [300, 80],
  ] as const)
    test(`${columns} x ${rows}`, async () => {
      const app = await play([[{ text, deltas: 20 }]], { columns, rows });
      const lines = await app.terminal.everything();
      expect(lines.some((line) => line.includes("heading"))).toBe(true);
      // A line that were too long would have been cut at the last column, or wrapped by the emulator.
      const { active } = app.terminal.emulator.buffer;
      const wrapped = Array.from({ length: lines.length }, (_, row) => active.getLine(row)?.isWrapped);
      expect(wrapped.some(Boolean)).toBe(false);
      await app.leave();
    });
});

test("wide, combined and right-to-left characters keep the layout", async () => {
  const text = "漢字とかな交じり文。絵文字 👩‍👩‍👧‍👦 🇪🇺 é\n\nשלום עולם\n\nمرحبا بالعالم\n\n- 한국어";
  const app = await play([[{ text, deltas: 30 }]], { columns: 40 });
  const all = (await app.terminal.everything()).join("\n");
  for (const words of ["漢字", "שלום עולם", "مرحبا بالعالم", "한국어"]) expect(all).toContain(words);
  const screen = await app.terminal.screen();
  expect(screen.filter((line) => line === "─".repeat(40)).length).toBe(2);
  await app.leave();
});

describe("control sequences from outside never reach the terminal", () => {
  const evil =
    "a\u001b]0;owned\u0007b\u001b[2Jc\u001b]52;c;aGk=\u0007d\u009b31me\u001bPqevil\u001b\\f\u0007g\u0008h\u001b[?1049h";
  const harmless = (written: string) => {
    for (const sequence of [
      "\u001b]0;owned",
      "\u001b[2J",
      "\u001b]52;",
      "\u009b",
      "\u001bP",
      "\u001b[?1049h",
      "\u0008",
    ])
      expect(written).not.toContain(sequence);
  };
  const prompt = { prompt: "go" };
  const cases: [name: string, setup: AppSetup][] = [
    ["text", { turns: [[{ text: `${evil}\n\nend` }]] }],
    ["text in pieces", { turns: [[{ text: `${evil}\n\nend`, deltas: 60 }]] }],
    ["code", { turns: [[{ text: `\`\`\`ts\n${evil}\n\`\`\`\nend` }]] }],
    ["a thought", { turns: [[{ thought: evil }, { text: "end" }]] }],
    [
      "tool names, arguments, progress and returns",
      {
        turns: [[{ call: "bash", args: { command: evil } }, { call: evil }], [{ text: "end" }]],
        tools: [
          tool("bash", "write", (_args, { progress }) => {
            progress(evil);
            return evil;
          }),
        ],
      },
    ],
    ["a failure", { turns: [[{ fail: new Error(`${evil} end`) }]] }],
    [
      "a branch, a folder and a title",
      {
        turns: [[{ text: "end" }]],
        ports: { folder: evil, gitBranch: async () => evil },
        agent: { title: () => evil },
        columns: 400,
      },
    ],
  ];
  for (const [name, setup] of cases)
    test(name, async () => {
      const app = startApp({ options: prompt, ...setup });
      await app.see("end");
      await app.see("Ask anything");
      await app.leave();
      harmless(app.terminal.written);
    });
});

test("with NO_COLOR nothing is coloured", async () => {
  const app = startApp({
    turns: [[{ text: "**bold** and `code`\n\n```ts\nconst a = 1;\n```" }]],
    options: { prompt: "go", env: { TERM: "xterm-256color", NO_COLOR: "1" } },
  });
  await app.see("const a");
  await app.leave();
  const colours = [...app.terminal.written.matchAll(/\[(?:[34]\d|9\d|[34]8;[0-9;]*)m/g)].map(
    ([code]) => code,
  );
  expect(colours.filter((code) => code !== "[39m" && code !== "[49m")).toEqual([]);
});

test("with 16 colours only those are used", async () => {
  const app = startApp({
    turns: [[{ text: "`code`" }]],
    options: { prompt: "go", env: { TERM: "xterm" } },
  });
  await app.see("  code");
  await app.leave();
  expect(app.terminal.written).not.toContain("38;2;");
  expect(app.terminal.written).not.toContain("38;5;");
});

test("a light background gives the light theme", async () => {
  const app = startApp({ autoTheme: true });
  await app.see("Ask anything");
  expect(app.terminal.written).toContain("\u001b]11;?");
  // The light theme's accent.
  expect(app.terminal.written).not.toContain("38;2;11;114;133");
  app.terminal.input("\u001b]11;rgb:ffff/ffff/ffff\u0007");
  await app.until(() => app.terminal.written.includes("38;2;11;114;133"));
  await app.leave();
});

test("a question calls the person back", async () => {
  const setup: AppSetup = {
    turns: [[{ call: "t" }], [{ text: "end" }]],
    tools: [tool("t", "write", () => "")],
    permit:
      (person) =>
      async ({ toolName, args }, _tool, signal) => {
        const decision = { decision: "ask", reason: "why" } as const;
        await person.askPermission(questionAbout({ toolName, args, decision }), signal);
        return { type: "allow" };
      },
  };
  for (const [notifications, bells, message] of [
    ["auto", 2, true],
    ["bell", 1, false],
    ["off", 0, false],
  ] as const) {
    const app = startApp({ ...setup, options: { prompt: "go", notifications } });
    await app.see("May this run?");
    const { written } = app.terminal;
    const titles = written.split("\u001b]0;").length - 1;
    expect(written.split("\u0007").length - 1 - titles).toBe(bells);
    expect(written.includes("\u001b]9;tunacode: a question waits for you\u0007")).toBe(message);
    app.press("escape");
    await app.leave();
  }
});

test("a view that fails shows an error line, and the conversation goes on", async () => {
  const history: Message[] = JSON.parse(`[
    {"kind": "request", "parts": [{"kind": "user-prompt", "content": "hi"}]},
    {"kind": "response", "parts": [{"kind": "tool-call", "toolCallId": "1", "toolName": 5, "args": {}}]}
  ]`);
  const gitBranch = async (): Promise<string> => JSON.parse("5");
  const app = startApp({ history, turns: [[{ text: "still here" }]], ports: { gitBranch } });
  const screen = await app.see("⚠ This could not be drawn");
  await app.until(
    async () => (await app.terminal.screen()).filter((line) => line.startsWith("⚠")).length === 2,
  );
  expect(screen.some((line) => line.startsWith("❯ hi"))).toBe(true);
  app.type("go on");
  app.press("enter");
  await app.see("still here");
  await app.leave();
});

test("an event that can't be shown doesn't touch the request", async () => {
  const app = startApp({
    options: { prompt: "go" },
    agent: {
      run: async function* () {
        yield { type: "request-start", requestId: "1", model: "demo:script" };
        yield JSON.parse('{"type": "tool-end", "toolCallId": "1", "args": {}, "status": "completed"}');
        yield { type: "text-delta", text: "still here" };
        yield { type: "request-end", outcome: { type: "completed" } };
        return { type: "completed" };
      },
    },
  });
  const screen = await app.over();
  expect(screen.some((line) => line.includes("An event could not be shown"))).toBe(true);
  expect(screen.some((line) => line.includes("still here"))).toBe(true);
  await app.leave();
});

test("the pager erases nothing behind a line that reaches the last column", async () => {
  const app = await play([[{ text: numbered(3) }]]);
  const before = app.terminal.written.length;
  app.press("ctrlO");
  await app.see("Esc closes");
  // In the last column the cursor stands on the character just written: most terminals would erase that.
  const [, behindTime = ""] = /\d\d:\d\d([^\r]*)\r/.exec(app.terminal.written.slice(before)) ?? [];
  expect(behindTime).toContain("m");
  expect(behindTime).not.toContain("[K");
  app.press("escape");
  await app.leave();
});

test("the pager follows a resize, and so does the screen below it", async () => {
  const app = await play([[{ text: numbered(40) }]]);
  app.press("ctrlO");
  await app.see("Esc closes");
  app.terminal.resize(50, 14);
  await app.until(async () => (await app.terminal.screen()).at(-1)?.includes("Esc closes") ?? false);
  app.press("escape");
  await app.see("Ask anything");
  expect((await app.terminal.screen()).filter((line) => line === "─".repeat(50)).length).toBe(2);
  await app.leave();
});

test("what is drawn is drawn in one synchronized update, with no erasing before writing", async () => {
  const app = await play([[{ text: "hello" }]]);
  await app.leave();
  const frames = app.terminal.written.split("\u001b[?2026h").slice(1);
  expect(frames.length).toBeGreaterThan(1);
  for (const frame of frames) expect(frame).toContain("\u001b[?2026l");
  expect(app.terminal.written).not.toContain("\u001b[2K");
});
