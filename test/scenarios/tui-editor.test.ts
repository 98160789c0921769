// The editor: pastes, history, completion, files and images, shell lines.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppSetup, type RunningApp, startApp } from "../support/terminal-app.ts";

async function ready(setup: AppSetup = {}): Promise<RunningApp> {
  const app = startApp({ turns: () => [{ text: "the answer" }], ...setup });
  await app.see("Ask anything");
  return app;
}

const lastPrompt = (app: RunningApp) => JSON.stringify(app.requests.at(-1)?.messages.at(-1));

test("a paste of 5,000 lines is folded on the screen and sent whole", async () => {
  const app = await ready();
  const text = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n");
  app.type("look: ");
  app.paste(text);
  const screen = await app.see("❯ look: [paste: 5000 lines]");
  expect(screen.filter((line) => line.includes("line 1")).length).toBe(0);
  app.press("enter");
  await app.see("the answer");
  expect(app.requests[0]?.messages.at(-1)?.parts[0]).toMatchObject({ content: `look: ${text}` });
  await app.leave();
});

test("a folded paste says how many lines it has; its final line break isn't one", async () => {
  const app = await ready({ columns: 60, rows: 12 });
  const lines = (count: number) => "a line\n".repeat(count);
  app.type("see ");
  app.paste(lines(4_999).trimEnd());
  app.type(" and ");
  app.paste(lines(12));
  app.type("all");
  const screen = await app.see("all");
  const first = screen.findIndex((line) => line.startsWith("❯"));
  // The cursor is drawn as a space.
  expect(screen.slice(first - 1, first + 3)).toEqual([
    "─".repeat(60),
    "❯ see [paste: 4999 lines] and [paste: 12 lines]",
    "  all ",
    "─".repeat(60),
  ]);
  app.press("enter");
  await app.see("the answer");
  expect(app.requests[0]?.messages.at(-1)?.parts[0]).toMatchObject({
    content: `see ${lines(4_999).trimEnd()} and ${lines(12)}all`,
  });
  await app.leave();
});

test("the cursor stands right behind a folded paste, and one backspace removes it", async () => {
  const app = await ready();
  app.paste("x".repeat(1_500));
  await app.see("❯ [paste: 1500 chars]");
  app.type("!");
  await app.see("❯ [paste: 1500 chars]!");
  app.press("backspace", "backspace");
  await app.see("Ask anything");
  await app.leave();
});

test("several lines can be written", async () => {
  const app = await ready();
  app.type("one");
  app.press("ctrlJ");
  app.type("two");
  const screen = await app.see("  two");
  expect(screen.some((line) => line.startsWith("❯ one"))).toBe(true);
  app.press("enter");
  await app.see("the answer");
  expect(lastPrompt(app)).toContain("one\\ntwo");
  await app.leave();
});

test("earlier prompts come back with the arrow, and can be searched", async () => {
  const app = await ready({ ports: { promptHistory: async () => ["fix the parser", "write a test"] } });
  app.press("up");
  await app.see("❯ fix the parser");
  app.press("ctrlC");
  await app.see("Ask anything");
  app.press("ctrlR");
  await app.see("Earlier prompts");
  app.type("test");
  await app.lose("fix the parser");
  app.press("enter");
  await app.see("❯ write a test");
  await app.leave();
});

describe("after an @", () => {
  const files = ["README.md", "src/main.ts", "src/parser/parse.ts", "docs/a b.md"];
  test("paths are completed, and the file goes to the model", async () => {
    const app = await ready({
      ports: {
        fileIndex: async () => files,
        readAttachment: async (path) => ({ type: "text", text: `<file ${path}>` }),
      },
    });
    app.type("explain @parse");
    await app.see("src/parser/parse.ts");
    app.press("tab");
    await app.see("❯ explain @src/parser/parse.ts");
    app.press("enter");
    const screen = (await app.see("the answer")).join("\n");
    expect(screen).toContain("+ src/parser/parse.ts");
    expect(lastPrompt(app)).toContain("<file src/parser/parse.ts>");
    await app.leave();
  });

  test("a path typed to its end is sent by one Enter", async () => {
    const app = await ready({ ports: { fileIndex: async () => files } });
    app.type("explain @src/main.t");
    await app.see("→ src/main.ts");
    app.type("s");
    await app.see("❯ explain @src/main.ts");
    await app.lose("→ src/main.ts");
    app.press("enter");
    await app.see("the answer");
    await app.leave();
  });

  test("a path with a space is quoted", async () => {
    const app = await ready({ ports: { fileIndex: async () => files } });
    app.type("@a b");
    app.press("backspace", "backspace");
    await app.see("docs/a b.md");
    app.press("tab");
    await app.see('❯ @"docs/a b.md"');
    await app.leave();
  });

  test("a name that is no file is just a word", async () => {
    const app = await ready();
    app.type("ask @someone about it");
    app.press("escape", "enter");
    await app.see("the answer");
    expect(lastPrompt(app)).toContain("ask @someone about it");
    await app.leave();
  });
});

test("an image is handed over by its path", async () => {
  const app = await ready({
    ports: { readAttachment: async () => ({ type: "image", mediaType: "image/png", data: "AAAA" }) },
  });
  app.paste("'/tmp/my shot.png'");
  app.type(" what is this?");
  app.press("enter");
  const screen = (await app.see("the answer")).join("\n");
  expect(screen).toContain("+ /tmp/my shot.png");
  expect(lastPrompt(app)).toContain('"type":"image"');
  await app.leave();
});

describe("a shell line", () => {
  const runShell = async (command: string) => ({ output: `output of ${command}`, exitCode: 3 });
  test("shows its output, which goes with the next prompt", async () => {
    const app = await ready({ ports: { runShell } });
    app.type("!git status");
    app.press("enter");
    const screen = (await app.see("output of git status")).join("\n");
    expect(screen).toContain("! git status");
    expect(screen).toContain("exit code 3");
    await app.see("the output of 1 command goes with your next prompt");
    expect(app.requests.length).toBe(0);
    app.type("what now?");
    app.press("enter");
    await app.see("the answer");
    expect(lastPrompt(app)).toMatch(/\$ git status\\n<outside [^>]*>\\noutput of git status/);
    await app.leave();
  });

  test("with two signs keeps it from the model", async () => {
    const app = await ready({ ports: { runShell } });
    app.type("!!git status");
    app.press("enter");
    await app.see("output of git status");
    app.type("what now?");
    app.press("enter");
    await app.see("the answer");
    expect(lastPrompt(app)).not.toContain("git status");
    await app.leave();
  });

  test("of much output the end is shown, and nothing is said of lines that nobody counted", async () => {
    const output = Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join("\n");
    const app = await ready({ ports: { runShell: async () => ({ output, exitCode: 0 }) } });
    app.type("!seq 50000");
    app.press("enter");
    const lines = await app.see("line 49999");
    expect(lines.join("\n")).toContain("… earlier output (Ctrl-O shows more of it)");
    await app.leave();
  });

  test("is stopped by Escape", async () => {
    const app = await ready({
      ports: {
        runShell: (_command, { signal, onOutput }) =>
          new Promise((resolve) => {
            onOutput("so far\n");
            signal.addEventListener("abort", () => resolve({ output: "so far", exitCode: null }));
          }),
      },
    });
    app.type("!sleep 100");
    app.press("enter");
    await app.see("so far");
    await app.see("running · Esc stops");
    app.press("escape");
    await app.see("stopped");
    await app.lose("running · Esc stops");
    await app.leave();
  });
});

test("Ctrl-G opens the person's own editor with the text, and takes what it wrote", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-editor-"));
  const script = join(folder, "editor.sh");
  writeFileSync(script, '#!/bin/sh\nprintf "%s and more" "$(cat "$1")" > "$1"\n');
  chmodSync(script, 0o755);
  const env = { ...process.env, TERM: "xterm-256color", VISUAL: script };
  const app = await ready({ options: { env } });
  app.type("some words");
  app.press("ctrlG");
  await app.see("❯ some words and more");
  await app.leave();
  rmSync(folder, { recursive: true });
});

test("keys can be bound to others", async () => {
  const app = await ready({ options: { keys: { unfold: ["ctrl+r"], searchHistory: [] } } });
  app.press("ctrlR");
  await app.see("Esc closes");
  app.press("escape");
  await app.leave();
});
