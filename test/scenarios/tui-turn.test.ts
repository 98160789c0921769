// A turn on the screen, from the prompt to the last line of the answer.
import { expect, test } from "bun:test";
import { ProviderError } from "../../src/domain/error.ts";
import type { Message } from "../../src/domain/message.ts";
import { tool } from "../support/scenario.ts";
import { startApp } from "../support/terminal-app.ts";

test("a prompt, a thought, a tool call and an answer are shown, and the editor is free again", async () => {
  const app = startApp({
    turns: [
      [
        { thought: "Let me look." },
        { text: "I read the file.\n" },
        { call: "read_file", args: { filepath: "src/a.ts" } },
      ],
      [
        { text: "It says **hello**.\n\n```ts\nconst a = 1;\n```\n", deltas: 7 },
        { usage: { requestTokens: 1200, responseTokens: 34, cachedTokens: 0 } },
      ],
    ],
    tools: [tool("read_file", "read", () => "line one\nline two")],
  });
  await app.see("Ask anything");
  app.type("what is in a.ts?");
  app.press("enter");
  const screen = await app.see("34 tokens");
  const shown = screen.map((line) => line.replace(/\d\d:\d\d$/, "TIME")).filter((line) => line !== "");
  expect(shown.slice(0, 8)).toEqual([
    "❯ what is in a.ts?                                                         TIME",
    "  Thought: Let me look.",
    "  I read the file.",
    "✓ Read src/a.ts                                                          2 lines",
    "  It says hello.",
    "  ── ts",
    "  const a = 1;",
    "  ──",
  ]);
  expect(shown.at(-1)).toMatch(/^ ask · demo:script · 1\.2k\/100k 1% +no price$/);
  expect(await app.leave()).toBe(0);
  expect(app.terminal.isStarted).toBe(false);
});

test("when it is left, the conversation stays on the terminal and the editor does not", async () => {
  const app = startApp({ turns: [[{ text: "hello" }]] });
  await app.see("Ask anything");
  app.type("hi");
  app.press("enter");
  await app.see("  hello");
  await app.leave();
  const text = (await app.terminal.everything()).join("\n");
  expect(text).toContain("  hello");
  expect(text).toContain("tunacode --resume session-");
  expect(text).not.toContain("Ask anything");
});

test("where nothing was said there is nothing to go on with", async () => {
  const app = startApp({ turns: [] });
  await app.see("Ask anything");
  app.type("/cost");
  app.press("escape", "enter");
  await app.see("tokens");
  await app.leave();
  expect((await app.terminal.everything()).join("\n")).not.toContain("--resume");
});

test("edits are shown as a diff with line numbers, and counted", async () => {
  const diff = "@@ -9,3 +9,3 @@\n one\n-const a = 1;\n+const a = 2;\n three";
  const details = { type: "edit", path: "/p/a.ts", diff, created: false } as const;
  const app = startApp({
    turns: [[{ call: "update_file", args: { filepath: "a.ts" } }], [{ text: "done" }]],
    tools: [tool("update_file", "write", () => ({ content: "Updated a.ts at 1 place.", details }))],
  });
  await app.see("Ask anything");
  app.type("go");
  app.press("enter");
  const screen = await app.see("1 file edited");
  const text = screen.join("\n");
  expect(text).toContain("+1 -1");
  expect(text).toContain("│  9   one");
  expect(text).toContain("│ 10 - const a = 1;");
  expect(text).toContain("│ 10 + const a = 2;");
  await app.leave();
});

test("long output is folded, and Ctrl-O shows all of it", async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `output ${index}`).join("\n");
  const app = startApp({
    turns: [[{ call: "bash", args: { command: "make" } }], [{ text: "built" }]],
    tools: [tool("bash", "write", () => lines)],
    rows: 30,
  });
  await app.see("Ask anything");
  app.type("go");
  app.press("enter");
  const folded = (await app.see("  built")).join("\n");
  expect(folded).toContain("94 more lines");
  expect(folded).not.toContain("output 60");
  app.press("ctrlO");
  await app.see("Esc closes");
  app.press("pageUp");
  await app.see("output 60");
  app.press("home");
  expect((await app.see("❯ go")).join("\n")).toContain("output 1");
  app.press("escape");
  await app.see("94 more lines");
  await app.see("Ask anything");
  await app.leave();
});

test("after a failure in the middle of an answer a line says that it is kept", async () => {
  const app = startApp({
    turns: [
      [{ text: "first answer" }],
      [{ fail: new ProviderError("rate_limited", "The key is wrong.") }],
      [{ text: "half an answer" }, { fail: new ProviderError("rate_limited", "The key is old.") }],
    ],
  });
  await app.see("Ask anything");
  for (const prompt of ["one", "two", "three"]) {
    app.paste(prompt);
    app.press("enter");
    await app.until(async () => {
      const lines = (await app.terminal.screen()).filter((line) => /^ {2}(\d+ tokens · )?[\d.]+s/.test(line));
      return lines.length === ["one", "two", "three"].indexOf(prompt) + 1;
    });
  }
  const lines = await app.see("half an answer");
  const kept = lines.flatMap((line, index) => (line.includes("is kept; say how to go on") ? [index] : []));
  expect(kept).toEqual([lines.findIndex((line) => line.includes("The key is old.")) + 1]);
  await app.leave();
});

test("a failure is told, and the next prompt works", async () => {
  const app = startApp({
    turns: [[{ fail: new ProviderError("rate_limited", "Too many requests.") }], [{ text: "now it works" }]],
  });
  await app.see("Ask anything");
  app.type("one");
  app.press("enter");
  await app.see("✗ Too many requests.");
  app.type("two");
  app.press("enter");
  await app.see("now it works");
  await app.leave();
});

test("a retry counts down, and what is awaited is named", async () => {
  const app = startApp({
    agent: {
      run: async function* () {
        yield { type: "request-start", requestId: "1", model: "demo:script" };
        yield { type: "retry-wait", attempt: 1, delayMs: 9_000, reason: "overloaded" };
        await Bun.sleep(60);
        yield { type: "text-delta", text: "The tuna is a very" };
        yield { type: "retry-wait", attempt: 1, mostAttempts: 3, delayMs: 9_000, reason: "It broke." };
        await Bun.sleep(60);
        yield { type: "text-delta", text: " big fish." };
        yield { type: "waiting", awaited: "the first byte", sinceMs: 20_000, deadlineMs: 300_000 };
        await Bun.sleep(200);
        yield { type: "request-end", outcome: { type: "completed" } };
        return { type: "completed" };
      },
    },
  });
  await app.see("Ask anything");
  app.type("go");
  app.press("enter");
  await app.see("Attempt 2 in 9s: overloaded");
  await app.see("Going on in 9s (attempt 1 of 3): It broke.");
  await app.see("The tuna is a very big fish.");
  await app.see("Waiting for the first byte, 20s of at most 5m 00s");
  await app.leave();
});

test("a resumed conversation is shown as it was", async () => {
  const history: Message[] = [
    { kind: "request", parts: [{ kind: "user-prompt", content: "look" }] },
    {
      kind: "response",
      parts: [
        { kind: "text", content: "Looking." },
        { kind: "tool-call", toolCallId: "1", toolName: "bash", args: { command: "ls" } },
      ],
    },
    { kind: "request", parts: [{ kind: "tool-return", toolCallId: "1", toolName: "bash", content: "a.ts" }] },
    { kind: "response", parts: [{ kind: "text", content: "[INTERRUPTED]\n\nThere is a.ts" }] },
  ];
  const app = startApp({ history });
  await app.see("Resumed, 4 messages.");
  const text = (await app.see("Stopped here.")).join("\n");
  expect(text).toContain("❯ look");
  expect(text).toContain("✓ Run ls");
  expect(text).toContain("│ a.ts");
  expect(text).toContain("  There is a.ts");
  expect(text).not.toContain("[INTERRUPTED]");
  await app.leave();
});

test("a prompt that was never answered is back in the editor", async () => {
  const session = {
    id: "s",
    resumed: true,
    notices: ["2 messages were recovered."],
    unsentPrompt: "please go on",
  };
  const app = startApp({ agent: { session } });
  const text = (await app.see("❯ please go on")).join("\n");
  expect(text).toContain("! 2 messages were recovered.");
  await app.leave();
});

test("where no session can be opened, the terminal is restored and the caller is told why", async () => {
  const openAgent = async () => {
    throw new Error("There is no key.");
  };
  const app = startApp({ ports: { openAgent } });
  expect(app.ended).rejects.toThrow("There is no key.");
  await app.until(() => !app.terminal.isStarted);
});
