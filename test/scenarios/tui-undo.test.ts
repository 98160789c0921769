// Going back in the app: /undo, /redo, /rewind and Esc Esc, conflicts, /tree, /diff.
import { describe, expect, test } from "bun:test";
import type { BackRequest } from "../../src/app/undo.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Front, FrontEvent } from "../../src/front/contract.ts";
import type { UndoScript } from "../support/fake-undo.ts";
import { overJson } from "../support/json-front.ts";
import { tool } from "../support/scenario.ts";
import { type AppSetup, type RunningApp, startApp } from "../support/terminal-app.ts";

const EDIT = '@@ -4,2 +4,3 @@\n line\n-  split("=");\n+  indexOf("=");\n+  slice();';
const NEW = "@@ -0,0 +1,2 @@\n+one\n+two";
const PROMPTS = ["look around", "fix the parser", "write a test"];
const HISTORY = PROMPTS.flatMap((content): Message[] => [
  { kind: "request", parts: [{ kind: "user-prompt", content, timestamp: new Date().toISOString() }] },
  { kind: "response", parts: [{ kind: "text", content: `I did: ${content}` }] },
]);
const CHANGES: NonNullable<UndoScript["changes"]> = {
  2: { "src/parser.ts": EDIT },
  3: { "src/parser.ts": EDIT, "test/new.test.ts": NEW },
};

interface Went {
  readonly request: BackRequest;
  readonly overwrite: readonly string[];
}

function start(undo: UndoScript = {}, setup: AppSetup = {}): RunningApp & { readonly went: Went[] } {
  const went: Went[] = [];
  const onBack = (request: BackRequest, overwrite: readonly string[]) =>
    void went.push({ request, overwrite });
  const script = { changes: CHANGES, onBack, ...undo };
  return { went, ...startApp({ history: HISTORY, rows: 30, undo: script, ...setup }) };
}

async function say(app: RunningApp, line: string): Promise<void> {
  await app.see("Ask anything");
  app.paste(line);
  app.press("enter");
}

async function screenOf(app: RunningApp, text: string): Promise<string> {
  return (await app.see(text)).join("\n");
}

describe("Esc Esc", () => {
  test("lists the prompts with what each changed, the newest selected", async () => {
    const app = start({ others: { 2: { "notes.md": NEW } } });
    await app.see("I did: write a test");
    app.press("escape");
    await app.see("Esc again goes back to an earlier prompt");
    app.press("escape");
    const screen = await screenOf(app, "Go back to before");
    expect(screen).toMatch(/ {2}look around {2,}just now/);
    expect(screen).toMatch(/ {2}fix the parser {2,}\+2 −1, 1 file · 1 by others · just now/);
    expect(screen).toMatch(/❯ write a test {2,}\+4 −1, 2 files · just now/);
    await app.see("test/new.test.ts  +2 −0");
    app.press("up");
    await app.see("Somebody else: notes.md");
    app.press("escape");
    await app.see("Ask anything");
    await app.leave();
    expect(app.went).toEqual([]);
  });

  test("goes back with files and conversation, and the prompt returns", async () => {
    const app = start();
    await app.see("I did: write a test");
    app.press("escape", "escape");
    await app.see("Go back to before");
    app.press("up", "enter");
    const how = await screenOf(app, "Go back to before: fix the parser");
    expect(how).toMatch(/❯ Files and conversation {2}2 files/);
    expect(how).toContain("Conversation only");
    app.press("enter");
    const screen = await screenOf(app, "Went back to before: fix the parser");
    expect(screen).toContain("1 file put back: src/parser.ts.");
    expect(screen).toContain("1 file removed: test/new.test.ts.");
    expect(screen).toContain("❯ fix the parser");
    expect(app.messages()).toHaveLength(2);
    expect(app.went).toEqual([
      { request: { target: { type: "prompt", number: 2 }, scope: "both" }, overwrite: [] },
    ]);
    await app.leave();
  });

  test.each([
    [1, "conversation", "Files stay as they are.", 2],
    [2, "files", "Files are as they were before: fix the parser", 6],
  ] as const)("offers one of the two alone (%p)", async (downs, scope, words, messages) => {
    const app = start();
    await say(app, "/rewind");
    await app.see("Go back to before");
    app.press("up", "enter");
    await app.see("❯ Files and conversation");
    app.press(...new Array<"down">(downs).fill("down"), "enter");
    await app.see(words);
    expect(app.went[0]?.request.scope).toBe(scope);
    expect(app.messages()).toHaveLength(messages);
    await app.leave();
  });

  test("offers the files where the conversation is lost", async () => {
    const app = start({ hasLost: true });
    await say(app, "/rewind");
    await app.see("Go back to before");
    app.press("enter");
    const screen = await screenOf(app, "❯ Files only");
    expect(screen).toContain("It is lost.");
    expect(screen).not.toContain("Conversation only");
    app.press("enter");
    await app.see("Files are as they were before: write a test");
    expect(app.went[0]?.request.scope).toBe("files");
    await app.leave();
  });

  test("counts, whether they arrive as two keys or together", async () => {
    const app = start();
    await app.see("I did: write a test");
    app.terminal.input("\u001b\u001b");
    await app.see("Go back to before");
    app.press("escape");
    await app.leave();
  });

  test("means nothing with a slow second one, with text, or held down", async () => {
    const app = start();
    await app.see("I did: write a test");
    app.press("escape");
    await app.lose("Esc again");
    await Bun.sleep(700);
    app.press("escape");
    await app.see("Esc again");
    await app.lose("Esc again");
    app.type("words");
    app.press("escape", "escape");
    expect((await app.see("❯ words")).join("\n")).not.toContain("Esc again");
    app.press("ctrlC");
    await app.see("Ask anything");
    app.paste("\u001b\u001b");
    app.terminal.input("\u001b[27;1:2u");
    app.terminal.input("\u001b[27;1:2u");
    await Bun.sleep(50);
    expect((await app.terminal.screen()).join("\n")).not.toContain("Go back to before");
    await app.leave();
  });

  test("stops a request, and what follows at once still belongs to that", async () => {
    const app = start(
      {},
      {
        turns: [[{ call: "bash", args: { command: "sleep" } }]],
        tools: [
          tool(
            "bash",
            "write",
            (_args, { signal }) =>
              new Promise((resolve) => signal.addEventListener("abort", () => resolve(""), { once: true })),
          ),
        ],
      },
    );
    await say(app, "run it");
    await app.see("● Run");
    app.press("escape");
    await app.see("Stopped.");
    app.press("escape", "escape");
    await Bun.sleep(50);
    expect((await app.terminal.screen()).join("\n")).not.toContain("Go back to before");
    await app.leave();
  });

  test("says nothing in an empty conversation", async () => {
    const app = startApp();
    await app.see("Ask anything");
    app.press("escape", "escape");
    await Bun.sleep(50);
    const screen = (await app.terminal.screen()).join("\n");
    expect(screen).not.toContain("again");
    expect(screen).not.toContain("no prompt");
    await app.leave();
  });
});

describe("/undo", () => {
  test("takes the last turn back, /redo brings it back, over a wire too", async () => {
    const app = start({}, { through: overJson });
    await app.see("/100k");
    const before = (await app.terminal.screen()).at(-1);
    await say(app, "/undo");
    const screen = await screenOf(app, "Went back to before: write a test");
    expect(screen).toContain("1 file put back: src/parser.ts.");
    expect(screen).toContain("/redo brings it back.");
    await app.see("❯ write a test");
    expect(app.messages()).toHaveLength(4);
    const after = (await app.terminal.screen()).findLast((line) => line.includes("/100k"));
    expect(after).not.toBe(before);
    app.press("ctrlC");
    await say(app, "/redo");
    await app.see("What was taken back is there again.");
    expect(app.messages()).toHaveLength(6);
    await app.leave();
  });

  test("again and again can be cleared with Ctrl-C each time, and the app stays open", async () => {
    const app = start();
    for (const prompt of PROMPTS.toReversed()) {
      await say(app, "/undo");
      await app.see(`❯ ${prompt}`);
      app.press("ctrlC");
    }
    await app.see("Ask anything");
    expect(app.went).toHaveLength(PROMPTS.length);
    await app.leave();
  });

  test("with nothing to take back or to bring back says so", async () => {
    const app = startApp();
    await say(app, "/undo");
    await app.see("! There is nothing to take back.");
    await say(app, "/redo");
    await app.see("! There is nothing to redo.");
    await say(app, "/rewind");
    await app.see("There is no prompt to go back to.");
    await say(app, "/tree");
    await app.see("No conversation was left.");
    await say(app, "/diff");
    await app.see("This session has changed no files.");
    await app.leave();
  });

  test("waits for no running request: it has to be stopped first", async () => {
    const app = start({}, { turns: () => [{ delayMs: 60_000 }] });
    await say(app, "go");
    await app.see("Waiting for the model");
    for (const line of ["/undo", "/redo", "/rewind", "/tree"]) {
      app.paste(line);
      app.press("enter");
    }
    await app.until(async () => {
      const told = (await app.terminal.everything()).filter((line) => line.includes("Stop it first."));
      return told.length === 4;
    });
    expect(app.went).toEqual([]);
    await app.leave();
  });

  test("from the command line is a mere word", async () => {
    const app = start({}, { turns: () => [{ text: "words" }], options: { prompt: "/undo" } });
    await app.see("❯ /undo");
    await app.over();
    expect(app.went).toEqual([]);
    await app.leave();
  });
});

test("the pager shows the conversation as it is now, and so does a late listener", async () => {
  let desk: Front | undefined;
  const through = (front: Front) => {
    desk = front;
    return front;
  };
  const app = start({}, { turns: () => [{ text: "the other way" }], through });
  await say(app, "/undo");
  await app.see("❯ write a test");
  const heard: FrontEvent[] = [];
  desk?.subscribe((event) => heard.push(event));
  const opened = heard.find(({ type }) => type === "session-opened");
  expect(JSON.stringify(opened)).toContain("I did: fix the parser");
  expect(JSON.stringify(opened)).not.toContain("I did: write a test");
  app.press("ctrlC");
  await say(app, "do it differently");
  await app.over();
  app.press("ctrlO");
  const pager = await screenOf(app, "Esc closes");
  expect(pager).toContain("I did: fix the parser");
  expect(pager).not.toContain("I did: write a test");
  expect(pager.match(/fix the parser/g)).toHaveLength(2);
  for (const words of ["Went back to before: write a test", "do it differently", "the other way"])
    expect(pager).toContain(words);
  app.press("escape");
  await app.leave();
});

describe("a file that is not as the run left it", () => {
  const conflict = { why: "It was changed since.", canOverwrite: true, diff: EDIT };

  test("is shown with its difference, and left by default", async () => {
    const app = start({ conflicts: { "src/parser.ts": conflict } });
    await say(app, "/undo");
    const screen = await screenOf(app, "Not as the run left it: src/parser.ts");
    expect(screen).toContain("❯ Leave it as it is");
    await app.see("It was changed since. - is there now, + would be put back:");
    await app.see('5 -   split("=");');
    expect(app.went).toEqual([]);
    app.press("enter");
    await app.see("Left as it is: src/parser.ts.");
    expect(app.went[0]?.overwrite).toEqual([]);
    await app.leave();
  });

  test("is overwritten only if the person says so; Esc changes nothing at all", async () => {
    const app = start({ conflicts: { "src/parser.ts": conflict } });
    await say(app, "/undo");
    await app.see("Not as the run left it");
    app.press("escape");
    await app.lose("Not as the run left it");
    expect(app.went).toEqual([]);
    expect(app.messages()).toHaveLength(6);
    await say(app, "/undo");
    await app.see("Overwrite it");
    app.press("down", "enter");
    await app.see("Went back to before: write a test");
    expect(app.went[0]?.overwrite).toEqual(["src/parser.ts"]);
    await app.leave();
  });

  test("that can't be kept can't be overwritten", async () => {
    const why = "What is there is too large to be kept.";
    const app = start({ conflicts: { "src/parser.ts": { ...conflict, why, canOverwrite: false } } });
    await say(app, "/undo");
    await app.see(why);
    expect((await app.terminal.screen()).join("\n")).not.toContain("Overwrite it");
    app.press("down", "enter");
    await app.see("Left as it is: src/parser.ts.");
    expect(app.went[0]?.overwrite).toEqual([]);
    await app.leave();
  });

  test("among others is decided on in a list, with a preview of each", async () => {
    const other = { ...conflict, diff: NEW };
    const app = start({ conflicts: { "src/parser.ts": conflict, "test/new.test.ts": other } });
    await say(app, "/undo");
    await app.see("2 files are not as the run left them");
    app.press("down", "down");
    await app.see("1 + one");
    app.press("enter");
    await app.see("Not as the run left it: test/new.test.ts");
    app.press("down", "enter");
    await app.see("Go back, overwrite 1 and leave 1");
    app.press("up", "up", "enter");
    await app.see("Left as it is: src/parser.ts.");
    expect(app.went[0]?.overwrite).toEqual(["test/new.test.ts"]);
    await app.leave();
  });

  test("is shown whole in the pager, and the question is still there afterwards", async () => {
    const long = `@@ -1,1 +1,90 @@\n-x\n${Array.from({ length: 90 }, (_, index) => `+row ${index}`).join("\n")}`;
    const app = start({ conflicts: { "src/parser.ts": { ...conflict, diff: long } } });
    await say(app, "/undo");
    await app.see("more lines (Ctrl-O shows all)");
    app.press("ctrlO");
    await app.see("Esc closes ·");
    app.terminal.input("G");
    await app.see("row 89");
    app.press("escape");
    await app.see("❯ Leave it as it is");
    app.press("escape");
    await app.leave();
  });
});

test("/tree lists the conversations that were left, and goes on with one of them", async () => {
  const app = start();
  await say(app, "/rewind");
  await app.see("Go back to before");
  app.press("up", "enter");
  await app.see("❯ Files and conversation");
  app.press("down", "enter");
  await app.see("Files stay as they are.");
  app.press("ctrlC");
  await say(app, "/tree");
  expect(await screenOf(app, "Conversations that were left")).toMatch(
    /❯ fix the parser {2,}3 prompts · left just now/,
  );
  app.press("enter");
  const screen = await screenOf(app, "This is the conversation now.");
  expect(screen).toContain("Another conversation, 6 messages.");
  expect(screen).toContain("I did: write a test");
  expect(app.messages()).toHaveLength(6);
  await app.leave();
});

test("/diff shows what changed by prompt and file in the pager, and who else changed something", async () => {
  const app = start({ others: { 3: { "notes\u001b[31m\u202e.md": NEW } } }, { rows: 40 });
  await say(app, "/diff");
  const screen = await screenOf(app, "What this session changed");
  expect(screen).toMatch(/2 ❯ fix the parser +\+2 −1 · \d\d:\d\d/);
  expect(screen).toMatch(/ M src\/parser\.ts +\+2 −1/);
  expect(screen).toMatch(/ A test\/new\.test\.ts +\+2 −0/);
  expect(screen).toMatch(/ A notes⟨U\+001B⟩\[31m⟨U\+202E⟩\.md +by others · \+2 −0/);
  expect(screen).toContain("── 3 ❯ write a test ──");
  expect(screen).toContain('5 +   indexOf("=");');
  expect(app.terminal.written).not.toContain("\u202e");
  app.press("escape");
  await app.see("Ask anything");
  await app.leave();
});

test("names are drawn with nothing hidden wherever they are asked about or told", async () => {
  const name = "a\u001b[2J\u202eb\nc.ts";
  const app = start({
    changes: { 3: { [name]: EDIT, "other\u200b.ts": NEW } },
    conflicts: {
      [name]: { why: "It was changed since.", canOverwrite: true, diff: "@@ -1 +1 @@\n-\u001b[8mx" },
    },
  });
  await say(app, "/undo");
  await app.see("a⟨U+001B⟩[2J⟨U+202E⟩b⟨U+000A⟩c.ts");
  await app.see("⟨U+001B⟩[8mx");
  app.press("enter");
  await app.see("1 file removed: other⟨U+200B⟩.ts.");
  expect(app.terminal.written).not.toContain("\u202e");
  expect(app.terminal.written).not.toContain("\u001b[8m");
  await app.leave();
});

test("the end of a turn says how many files it changed, and nothing where it changed none", async () => {
  const files = ["a.ts", "b.ts", "a.ts"].map((path) => ({
    path,
    before: { type: "absent" } as const,
    after: { type: "file", content: "sha256:1", mode: 0o644, size: 1 } as const,
  }));
  const app = start({}, { turns: () => [{ text: "done" }] });
  await say(app, "go");
  const plain = (await app.over()).join("\n");
  expect(plain).not.toContain("changed (/undo)");
  await app.leave();
  const agent = startApp({
    turns: () => [{ text: "done" }],
    agent: {
      run: async function* () {
        yield { type: "request-start", requestId: "r", model: "demo:script" };
        yield { type: "files-changed", by: { type: "call", toolCallId: "c" }, changes: files };
        yield {
          type: "files-changed",
          by: { type: "other" },
          changes: [{ ...files[0], path: "z" }] as typeof files,
        };
        yield { type: "request-end", outcome: { type: "completed" } };
      },
    },
  });
  await say(agent, "go");
  await agent.see("2 files changed (/undo)");
  await agent.leave();
});
