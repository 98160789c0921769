// What the pictures in docs/images show: small scripted conversations, stopped at the right moment.

import type { Person } from "../src/app/settings.ts";
import type { Message } from "../src/domain/message.ts";
import type { Offer, PermissionQuestion } from "../src/domain/permission.ts";
import type { UndoScript } from "../test/support/fake-undo.ts";
import { offering, questionAbout } from "../test/support/permission-question.ts";
import { tool } from "../test/support/scenario.ts";
import type { AppSetup, RunningApp } from "../test/support/terminal-app.ts";

export interface Scene {
  readonly setup: AppSetup;
  readonly play: (app: RunningApp) => Promise<void>;
  readonly light?: boolean;
}

const DIFF = `@@ -41,7 +41,9 @@
 export function parseLine(line: string): Entry | null {
-  const [key, value] = line.split("=");
-  return { key, value };
+  const at = line.indexOf("=");
+  if (at === -1) return null;
+  return { key: line.slice(0, at), value: line.slice(at + 1) };
 }
 
 export function parseFile(text: string): Entry[] {`;

const TURN: AppSetup["turns"] = [
  [
    {
      thought:
        "The value is cut at the second equals sign. split() is the likely cause; check the tests first.",
    },
    { delayMs: 400 },
    { text: "I'll look at the parser and its tests.\n" },
    { call: "read_file", args: { filepath: "src/parser.ts" } },
    { call: "grep", args: { pattern: "parseLine", directory: "test" } },
    { usage: { requestTokens: 5200, responseTokens: 180, cachedTokens: 0 } },
  ],
  [
    {
      call: "update_file",
      args: { filepath: "src/parser.ts", old_text: "a", new_text: "b" },
    },
    { usage: { requestTokens: 8900, responseTokens: 220, cachedTokens: 5200 } },
  ],
  [
    { call: "bash", args: { command: "bun test test/parser.test.ts" } },
    { usage: { requestTokens: 9800, responseTokens: 60, cachedTokens: 8900 } },
  ],
  [
    {
      text: `**Fixed.** Values may hold \`=\` now:

- \`parseLine\` cuts at the *first* sign only
- a line without one is \`null\`, and the caller skips it

\`\`\`ts
parseLine("url=http://a?b=c"); // { key: "url", value: "http://a?b=c" }
\`\`\`
`,
      deltas: 40,
    },
    { delayMs: 2_400 },
    { usage: { requestTokens: 12400, responseTokens: 310, cachedTokens: 9800 } },
  ],
];

const TOOLS = [
  tool("read_file", "read", () => "line\n".repeat(96)),
  tool("grep", "read", () => "test/parser.test.ts:12: parseLine\n".repeat(4)),
  tool("update_file", "write", () => ({
    content: "Updated src/parser.ts at 1 place.",
    details: { type: "edit", path: "src/parser.ts", diff: DIFF, created: false },
  })),
  tool(
    "bash",
    "write",
    () => "bun test v1.4.4\n\ntest/parser.test.ts:\n 14 pass\n 0 fail\nRan 14 tests across 1 file.",
  ),
];

/** The offers of a rule for this session and for good, and what stands between them. */
function lasting(rule: string, ...between: readonly Offer[]): readonly Offer[] {
  const always = {
    label: `and never ask again in this project: ${rule}`,
    rules: [rule],
    lasts: "always",
  } as const;
  return [...offering(rule), ...between, always];
}

const BASH_QUESTION = questionAbout({
  toolName: "bash",
  args: { command: "rm -rf dist && npm run build" },
  decision: {
    decision: "ask",
    reason: "It would delete dist.",
    commands: ["rm -rf dist", "npm run build"],
    sandboxed: true,
  },
  command: {
    script: "rm -rf dist && npm run build",
    env: {},
    folder: "/home/you/parser",
    sandboxed: true,
  },
  offers: lasting("bash(rm -rf dist)"),
});

const EDIT_QUESTION = questionAbout({
  toolName: "update_file",
  args: {
    filepath: "src/parser.ts",
    old_text: '  const [key, value] = line.split("=");',
    new_text: '  const at = line.indexOf("=");',
  },
  decision: { decision: "ask", reason: "It would write src/parser.ts." },
  offers: lasting("write(src/parser.ts)", {
    label: "and don't ask again in this session: all edits in the project",
    rules: ["write"],
    lasts: "session",
  }),
  preview: { type: "diff", diff: DIFF, numbered: true },
});

function asking(question: PermissionQuestion): AppSetup {
  return {
    turns: [
      [{ text: "I'll do that now.\n" }, { call: question.toolName, args: question.args }],
      [{ text: "Done." }],
    ],
    tools: [tool(question.toolName, "write", () => "ok")],
    permit: (person: Person) => async (_call, _tool, signal) => {
      const answer = await person.askPermission(question, signal);
      return answer.type === "stop" ? { type: "stop" } : { type: "allow" };
    },
  };
}

const SESSIONS = [
  ["Fix the parser's equals sign", 4, 18],
  ["Write the release notes", 90, 42],
  ["Why is the build slow?", 60 * 26, 7],
  ["Add a dark theme", 60 * 24 * 3, 124],
].map(([title, minutes, messageCount], index) => ({
  id: `${index}`,
  title: String(title),
  lastModified: new Date(Date.now() - Number(minutes) * 60_000).toISOString(),
  messageCount: Number(messageCount),
  model: "anthropic:claude-sonnet-5",
}));

const NEW_FILE = `@@ -0,0 +1,42 @@\n${'+test("an equals sign", () => {});\n'.repeat(42)}`;
const OLD_FILE = `@@ -1,118 +0,0 @@\n${"-old\n".repeat(118)}`;

const HISTORY = [
  ["what is the parser for?", "It reads `KEY=VALUE` files, line by line.", 41],
  ["values with an = in them are cut off, please fix it", "**Fixed.** Values may hold `=` now.", 12],
  [
    "write tests for it, and remove the old parser",
    "Done: 14 tests, and `old-parser.ts` is gone. `src` is down to 1,204 lines.",
    3,
  ],
].flatMap(([content, answer, minutes]): Message[] => {
  const timestamp = new Date(Date.now() - Number(minutes) * 60_000).toISOString();
  return [
    { kind: "request", parts: [{ kind: "user-prompt", content: String(content), timestamp }] },
    { kind: "response", parts: [{ kind: "text", content: String(answer) }] },
  ];
});

const CHANGES: UndoScript = {
  changes: {
    2: { "src/parser.ts": DIFF },
    3: { "test/parser.test.ts": NEW_FILE, "src/parser.ts": DIFF, "src/old-parser.ts": OLD_FILE },
  },
  others: { 3: { "notes.md": NEW_FILE } },
};

async function ask(app: RunningApp, prompt: string): Promise<void> {
  await app.see("Ask anything");
  app.type(prompt);
  app.press("enter");
}

/** Until the question no longer takes the prompt that was just sent for typing. */
const PAUSE_MS = 1_000;

export const SCENES: Readonly<Record<string, Scene>> = {
  turn: {
    setup: { turns: TURN, tools: TOOLS, rows: 46 },
    play: async (app) => {
      await ask(app, "values with an = in them are cut off, please fix it");
      await app.see("tokens/s");
    },
  },
  light: {
    setup: { turns: TURN, tools: TOOLS, rows: 46, options: { theme: "tunacode-light" } },
    light: true,
    play: async (app) => {
      await ask(app, "values with an = in them are cut off, please fix it");
      await app.see("tokens/s");
    },
  },
  permission: {
    setup: { ...asking(BASH_QUESTION), rows: 24 },
    play: async (app) => {
      await ask(app, "build it from scratch");
      await app.see("May this command run?");
      await Bun.sleep(PAUSE_MS);
    },
  },
  edit: {
    setup: { ...asking(EDIT_QUESTION), rows: 29 },
    play: async (app) => {
      await ask(app, "values with an = in them are cut off, please fix it");
      await app.see("May this file be edited?");
      await Bun.sleep(PAUSE_MS);
    },
  },
  running: {
    setup: {
      turns: [
        [
          { text: "Running the tests.\n" },
          { call: "bash", args: { command: "npm test" } },
          { call: "research_codebase", args: { query: "where is the journal written?" } },
        ],
      ],
      tools: [
        tool("bash", "write", async (_args, { progress, signal }) => {
          progress("✓ history (120 tests)\n✓ session (88 tests)\n✓ models (203 tests)\n… tools\n");
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          return "";
        }),
        tool("research_codebase", "research", async (_args, { progress }) => {
          progress("grep journal\nread src/session/journal.ts\n");
          return "The journal is written in src/session/journal.ts by one writer.";
        }),
      ],
      rows: 26,
    },
    play: async (app) => {
      await ask(app, "run all tests and tell me where the journal is written");
      await app.see("… tools");
      app.type("skip the slow ones");
      app.press("enter");
      app.type("then update the changelog");
      app.press("altEnter");
      await app.see("afterwards");
    },
  },
  plan: {
    setup: {
      rows: 30,
      turns: [
        [
          { text: "I know enough. Here is the plan.\n" },
          {
            call: "present_plan",
            args: {
              plan: "## Make the parser streaming\n\n1. **Split** `parseFile` into a line reader and `parseLine`\n2. Read with `for await` instead of `readFileSync`\n3. Keep the old signature as a thin wrapper\n\nTests first: `test/parser-stream.test.ts` with a 2 GB file.",
            },
          },
        ],
      ],
      tools: (person) => [
        tool("present_plan", "read", ({ plan }, { signal }) => person.askAboutPlan(String(plan), signal)),
      ],
      options: { prompt: "/plan the parser should not read the whole file at once" },
    },
    play: async (app) => {
      await app.see("Is this plan right?");
    },
  },
  resume: {
    setup: {
      rows: 24,
      ports: {
        listSessions: async () => SESSIONS,
        previewSession: async () =>
          "you: values with an = in them are cut off, please fix it\ntunacode: Fixed. Values may hold = now: parseLine cuts at the first sign only.",
      },
    },
    play: async (app) => {
      await app.see("Ask anything");
      app.paste("/resume");
      app.press("enter");
      await app.see("you: values");
    },
  },
  rewind: {
    setup: {
      rows: 25,
      history: HISTORY,
      undo: CHANGES,
    },
    play: async (app) => {
      await app.see("1,204 lines");
      app.press("escape", "escape");
      await app.see("Somebody else");
    },
  },
  conflict: {
    setup: {
      rows: 21,
      history: HISTORY,
      undo: {
        ...CHANGES,
        conflicts: {
          "src/parser.ts": {
            why: "It was changed since, and not by this session.",
            canOverwrite: true,
            diff: DIFF,
          },
        },
      },
    },
    play: async (app) => {
      await app.see("1,204 lines");
      app.paste("/undo");
      app.press("enter");
      await app.see("would be put back");
    },
  },
  diff: {
    setup: { rows: 30, history: HISTORY, undo: CHANGES },
    play: async (app) => {
      await app.see("1,204 lines");
      app.paste("/diff");
      app.press("enter");
      await app.see("Esc closes");
    },
  },
  commands: {
    setup: { rows: 22 },
    play: async (app) => {
      await app.see("Ask anything");
      app.type("/");
      await app.see("/compact");
    },
  },
  models: {
    setup: {
      rows: 22,
      ports: {
        listModels: async () => [
          {
            name: "anthropic:claude-sonnet-5",
            contextWindow: 1_000_000,
            price: { input: 3, output: 15, cacheRead: 0.3 },
            recent: true,
          },
          {
            name: "openai:gpt-6-sol",
            contextWindow: 400_000,
            price: { input: 1.25, output: 10, cacheRead: 0.1 },
            recent: true,
          },
          {
            name: "google:gemini-4-pro",
            contextWindow: 2_000_000,
            price: { input: 2, output: 12, cacheRead: 0.2 },
          },
          {
            name: "groq:llama-5-70b",
            contextWindow: 128_000,
            price: { input: 0.59, output: 0.79, cacheRead: 0.59 },
          },
          {
            name: "ollama:qwen4-coder",
            contextWindow: 128_000,
            price: { input: 0, output: 0, cacheRead: 0 },
          },
          { name: "mistral:codestral-3", problem: "needs MISTRAL_API_KEY" },
        ],
      },
    },
    play: async (app) => {
      await app.see("Ask anything");
      app.paste("/model");
      app.press("enter");
      await app.see("codestral");
    },
  },
};
