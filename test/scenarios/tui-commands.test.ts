// The commands after a slash.
import { describe, expect, test } from "bun:test";
import type { ModelName } from "../../src/domain/ids.ts";
import { conversation } from "../support/conversation.ts";
import { type AppSetup, type RunningApp, startApp } from "../support/terminal-app.ts";

async function say(app: RunningApp, line: string): Promise<void> {
  await app.see("Ask anything");
  // A paste, so that no completion opens; those have a test of their own.
  app.paste(line);
  app.press("enter");
}

async function after(line: string, setup: AppSetup = {}): Promise<RunningApp> {
  const app = startApp({ turns: () => [{ text: "the answer" }], rows: 50, ...setup });
  await say(app, line);
  return app;
}

test("a slash lists them, and typing narrows the list", async () => {
  const app = startApp();
  await app.see("Ask anything");
  app.type("/");
  await app.see("/help");
  app.type("the");
  await app.see("choose the colours");
  await app.lose("keys and commands");
  app.press("escape");
  await app.leave();
});

describe("/help", () => {
  test("names keys and commands, custom ones too", async () => {
    const custom = {
      name: "review",
      description: "review the diff",
      expand: (args: string) => `Review ${args}`,
    };
    const app = await after("/help", { ports: { customCommands: async () => [custom] } });
    const text = (await app.see("/exit")).join("\n");
    for (const words of ["Alt-Enter", "Ctrl-O", "/model", "/review", "review the diff"])
      expect(text).toContain(words);
    await app.leave();
  });
});

test("a custom command becomes the prompt it stands for", async () => {
  const custom = { name: "review", description: "", expand: (args: string) => `Review ${args} carefully` };
  const app = await after("/review the parser", { ports: { customCommands: async () => [custom] } });
  await app.see("the answer");
  expect(JSON.stringify(app.requests[0]?.messages)).toContain("Review the parser carefully");
  await app.leave();
});

test("an unknown one says so and suggests the nearest", async () => {
  const app = await after("/modle");
  await app.see("There is no command /modle. Did you mean /model?");
  await say(app, "/perm");
  await app.see("There is no command /perm. Did you mean /permissions?");
  await say(app, "/zzzzzzz");
  await app.see("There is no command /zzzzzzz. /help lists all.");
  await app.leave();
});

test("a path at the start of a prompt is no command", async () => {
  const app = await after("/usr/bin/env is missing, why?");
  await app.see("the answer");
  await app.leave();
});

describe("/model", () => {
  const models = [
    { name: "demo:script", contextWindow: 100_000, recent: true },
    { name: "openai:gpt-6", contextWindow: 400_000, price: { input: 1.25, output: 10, cacheRead: 0.1 } },
    { name: "mistral:codestral", problem: "needs MISTRAL_API_KEY" },
  ];
  const switching = (switched: ModelName[]): AppSetup => ({
    ports: { listModels: async () => models },
    agent: {
      switchModel: async (name) => {
        if (name === "mistral:codestral") throw new Error("MISTRAL_API_KEY is not set.");
        switched.push(name);
      },
      model: () => ({ name: switched.at(-1) ?? "demo:script", contextWindow: 400_000 }),
    },
  });

  test("lists them with prices, filters, and switches", async () => {
    const switched: ModelName[] = [];
    const app = await after("/model", switching(switched));
    const text = (await app.see("openai:gpt-6")).join("\n");
    expect(text).toContain("400k tokens · $1.25 in, $10 out per million");
    app.type("gpt");
    await app.lose("codestral");
    app.press("enter");
    await app.see("The model is openai:gpt-6 from the next request on.");
    await app.see(" ask · openai:gpt-6");
    expect(switched).toEqual(["openai:gpt-6"]);
    await app.leave();
  });

  test("has the one in use, even where no list knows it", async () => {
    const app = await after("/model", {
      ports: { listModels: async () => [{ name: "a:one" }] },
      agent: { model: () => ({ name: "own:model" }) },
    });
    expect((await app.see("a:one")).some((line) => /^❯ own:model +in use/.test(line))).toBe(true);
    app.press("escape");
    await app.leave();
  });

  test("begins with the one in use, wherever the list has it", async () => {
    const app = await after("/model", {
      ports: {
        listModels: async () => [{ name: "a:one" }, { name: "a:two", contextWindow: 9, recent: true }],
      },
      agent: { model: () => ({ name: "a:two" }) },
    });
    const lines = (await app.see("a:one")).filter((line) => /a:(?:one|two) /.test(`${line} `));
    expect(lines.slice(0, 2).map((line) => line.trim().replace(/ +/g, " "))).toEqual([
      "❯ a:two in use · 9 tokens",
      "a:one",
    ]);
    app.press("escape");
    await app.leave();
  });

  test("shows the selected one on the smallest screen", async () => {
    const names = Array.from({ length: 30 }, (_, index) => ({ name: `a:model-${index}` }));
    const app = await after("/model", { ports: { listModels: async () => names }, columns: 40, rows: 12 });
    await app.see("a:model-0");
    app.press("up", "up");
    await app.see("❯ a:model-28");
    await app.see("Enter chooses");
    app.press("escape");
    await app.leave();
  });

  test("that can't be used keeps the old one and says why", async () => {
    const app = await after("/model mistral:codestral", switching([]));
    await app.see("✗ MISTRAL_API_KEY is not set.");
    await app.see("ask · demo:script");
    await app.leave();
  });

  test("Escape closes the list and changes nothing", async () => {
    const switched: ModelName[] = [];
    const app = await after("/model", switching(switched));
    await app.see("openai:gpt-6");
    app.press("down", "escape");
    await app.see("Ask anything");
    expect(switched).toEqual([]);
    await app.leave();
  });
});

describe("/resume", () => {
  const sessions = [
    {
      id: "aaaa",
      title: "Fix the parser",
      lastModified: new Date().toISOString(),
      messageCount: 12,
      model: "m",
    },
    { id: "bbbb", title: "Write docs", lastModified: "2020-01-01T00:00:00Z", messageCount: 1, model: "m" },
  ];
  test("lists them with a preview and opens the chosen one", async () => {
    const app = await after("/resume", {
      ports: { listSessions: async () => sessions, previewSession: async (id) => `preview of ${id}` },
    });
    const text = (await app.see("preview of aaaa")).join("\n");
    expect(text).toContain("just now · m");
    app.press("down");
    await app.see("preview of bbbb");
    app.press("enter");
    await app.lose("preview of");
    await app.leave();
  });

  test("without any says so", async () => {
    const app = await after("/resume");
    await app.see("There is no other conversation in this project.");
    await app.leave();
  });

  test("the conversation that is open is none to go on with", async () => {
    const [open] = sessions.map((session) => ({ ...session, id: "session-new" }));
    const app = await after("/resume", { ports: { listSessions: async () => (open ? [open] : []) } });
    await app.see("There is no other conversation in this project.");
    await app.leave();
  });
});

describe("sessions", () => {
  test("/new begins a new one, /fork a copy", async () => {
    const app = await after("/new");
    await app.see("A new conversation.");
    await say(app, "/fork");
    await app.see("A copy. The original stays as it was: /resume session-");
    await app.leave();
  });

  test("/fork doesn't show again what is on the screen", async () => {
    const history = conversation("user text");
    const app = startApp({ history, options: { session: { type: "resume", id: "session-resume" } } });
    await app.see("Resumed");
    await say(app, "/fork");
    const lines = await app.see("A copy.");
    expect(lines.filter((line) => line.includes("Resumed")).length).toBe(1);
    expect(lines.filter((line) => line.startsWith("❯ ") && !line.includes("Ask")).length).toBe(1);
    await app.leave();
  });

  test("/clear empties the screen too", async () => {
    const app = await after("hello");
    await app.see("the answer");
    await say(app, "/clear");
    await app.see("A new conversation.");
    await app.lose("the answer");
    await app.leave();
  });

  test("none is changed under a request that runs", async () => {
    const app = startApp({ turns: [[{ text: "so far" }, { hang: true }]], options: { prompt: "go" } });
    await app.see("so far");
    app.paste("/new");
    app.press("enter");
    await app.see("A request is running. Stop it first.");
    await app.leave();
  });

  test("/rename gives a title", async () => {
    const app = await after("/rename The great fix");
    await app.see('The title is now "The great fix".');
    expect((await app.terminal.screen()).some((line) => line.endsWith("The great fix"))).toBe(true);
    await app.leave();
  });
});

test("/compact runs and says what it saved", async () => {
  const app = await after("/compact", {
    agent: {
      compact: async function* () {
        yield {
          type: "compaction",
          messages: [],
          tokensBefore: 90_000,
          tokensAfter: 8_000,
          summary: "short",
        };
      },
    },
  });
  await app.see("— summed up here: 90,000 → 8,000 tokens —");
  await app.see("8.0k/100k 8%");
  await app.leave();
});

describe("permissions", () => {
  test("/permissions MODE, /yolo and Shift-Tab change the mode", async () => {
    const app = await after("/permissions auto-edit");
    await app.see(" auto-edit · demo:script");
    await say(app, "/yolo");
    await app.see(" yolo · demo:script");
    expect(app.mode()).toBe("yolo");
    await say(app, "/yolo");
    await app.see(" ask · demo:script");
    app.press("shiftTab", "shiftTab");
    await app.see(" read-only · demo:script");
    app.press("shiftTab");
    await app.see(" ask · demo:script");
    expect(app.mode()).toBe("ask");
    await app.leave();
  });

  test("/permissions auto, typed letter by letter, is not completed to auto-edit", async () => {
    const app = await after("/permissions auto");
    await app.see(" auto · demo:script");
    await app.leave();
  });

  test("Shift-Tab comes past auto only where the person has switched it on", async () => {
    const app = await after("/permissions auto-edit", { agent: { isAutoOn: () => true } });
    await app.see(" auto-edit · demo:script");
    for (const mode of ["auto", "read-only", "ask"]) {
      app.press("shiftTab");
      await app.see(` ${mode} · demo:script`);
    }
    await app.leave();
  });

  test("/permissions shows the rules that hold", async () => {
    const rules = {
      list: () => [{ verdict: "allow", text: "bash(ls)", source: "session" } as const],
      add: () => {},
      remove: () => true,
    };
    const app = await after("/permissions", { agent: { rules } });
    await app.see("allow bash(ls)");
    app.press("escape");
    await app.leave();
  });
});

describe("/theme", () => {
  for (const [rest, isListed] of [
    ["", true],
    ["ula", false],
  ] as const)
    test(`typed as drac${rest} is chosen with one Enter`, async () => {
      const saved: string[] = [];
      const saveTheme = async (name: string) => void saved.push(name);
      const app = startApp({ options: { saveTheme } });
      await app.see("Ask anything");
      app.type("/theme drac");
      await app.see("→ dracula");
      app.type(rest);
      if (!isListed) await app.lose("→ dracula");
      app.press("enter");
      await app.until(() => saved.length > 0);
      expect(saved).toEqual(["dracula"]);
      await app.leave();
    });

  test("not typed at all is only filled in by Enter", async () => {
    const app = startApp();
    await app.see("Ask anything");
    app.type("/thinking ");
    await app.see("→ off");
    app.press("enter");
    await app.see("❯ /thinking off");
    await app.leave();
  });

  test("shows each while choosing, and saves the chosen one", async () => {
    const saved: string[] = [];
    const app = await after("/theme", {
      options: { saveTheme: async (name) => void saved.push(name) },
    });
    await app.see("dracula");
    app.type("drac");
    await app.lose("gruvbox");
    // Dracula's purple, before Enter.
    await app.until(() => app.terminal.written.includes("38;2;189;147;249"));
    app.press("enter");
    await app.until(() => saved.length > 0);
    expect(saved).toEqual(["dracula"]);
    await app.leave();
  });

  test("that doesn't exist says which do", async () => {
    const app = await after("/theme nope");
    await app.see("There is no theme nope.");
    await app.leave();
  });
});

test("/cost, /doctor, /debug, /thinking and /export tell what they did", async () => {
  const exported: string[] = [];
  const app = await after("hello", {
    turns: () => [
      { text: "the answer" },
      { usage: { requestTokens: 1_000, responseTokens: 50, cachedTokens: 400 } },
    ],
    ports: {
      exportFile: async (name, text) => {
        exported.push(text);
        return `/project/${name}`;
      },
    },
  });
  await app.see("50 tokens");
  await say(app, "/cost");
  await app.see("1,000 tokens, 400 of them from the cache");
  await say(app, "/doctor");
  await app.see("All is well.");
  await say(app, "/debug");
  await app.see("The log is on.");
  await say(app, "/thinking high");
  await app.see("Thinking: high");
  await say(app, "/export talk.md");
  await app.see("Written to /project/talk.md");
  expect(exported[0]).toContain("## You\n\nhello\n\n## tunacode\n\nthe answer");
  await app.leave();
});

describe("/copy", () => {
  /** What the terminal was asked to keep. */
  const copied = (app: RunningApp) =>
    [...app.terminal.written.matchAll(/\]52;c;([\w+/=]*)/g)].map(([, text = ""]) =>
      Buffer.from(text, "base64").toString(),
    );
  const long = Array.from({ length: 120 }, (_, line) => `line ${line}`).join("\n");
  const answer = `# Tëst\n\n- one\n\n\`\`\`sh\nls\n\`\`\`\n\nand\n\n\`\`\`ts\n${long}\n\`\`\`\n\nEnd.`;

  test("hands the last answer to the terminal as it was written", async () => {
    const app = await after("hello", { turns: () => [{ text: answer }] });
    await app.over();
    await say(app, "/copy");
    await app.see(`Copied the last answer, ${answer.length.toLocaleString("en-US")} characters.`);
    expect(copied(app)).toEqual([answer]);
    await app.leave();
  });

  test("code hands over the last code alone, however long", async () => {
    const app = await after("hello", { turns: () => [{ text: answer }] });
    await app.over();
    await say(app, "/copy code");
    await app.see("Copied the last code, 969 characters.");
    expect(copied(app)).toEqual([long]);
    await app.leave();
  });

  test("without the control sequences and the mark of an interruption", async () => {
    const history = conversation("user text");
    const text = "[INTERRUPTED]\n\nhalf\u001b]0;evil\u0007 an answer";
    const app = await after("/copy", {
      history: [...history.slice(0, 1), { kind: "response", parts: [{ kind: "text", content: text }] }],
    });
    await app.see("Copied the last answer, 14 characters.");
    expect(copied(app)).toEqual(["half an answer"]);
    await app.leave();
  });

  test("says so where there is nothing to copy, or too much", async () => {
    const app = await after("/copy", { turns: () => [{ text: "x".repeat(74_995) }] });
    await app.see("There is no answer to copy yet.");
    await say(app, "hello");
    await app.over();
    await say(app, "/copy code");
    await app.see("No answer has code to copy.");
    await say(app, "/copy");
    await app.see("nothing was copied");
    expect(copied(app)).toEqual([]);
    await app.leave();
  });
});

test("a command that fails is told, and the app goes on", async () => {
  const app = await after("/doctor", {
    ports: {
      doctor: async () => {
        throw new Error("the doctor is ill");
      },
    },
  });
  await app.see("✗ the doctor is ill");
  await app.see("Ask anything");
  await app.leave();
});

test("/exit leaves", async () => {
  const app = await after("/exit");
  expect(await app.ended).toBe(0);
});
