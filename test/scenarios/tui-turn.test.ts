// A turn on the screen, from the prompt to the last line of the answer.
import { expect, test } from "bun:test";
import { tool } from "../support/scenario.ts";
import { startApp } from "../support/terminal-app.ts";

test("a prompt, a tool call and an answer are shown, and the editor is free again", async () => {
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
  await app.see("34 tokens");
  const screen = await app.terminal.screen();
  console.log(screen.join("\n"));
  expect(await app.leave()).toBe(0);
  expect(app.terminal.isStarted).toBe(false);
});
