// Whatever a repository, a session file or a vendor calls things, the terminal gets the same sequences as with plain
// names: in every list, bar, title and message of the app, in plain mode, and of the command line.
import { expect, test } from "bun:test";
import { ToolError } from "../../src/domain/error.ts";
import { withOwnColoursOnly } from "../../src/tui/screen/own-colours.ts";
import { hostileText, sequencesIn } from "../support/hostile-text.ts";
import { tool } from "../support/scenario.ts";
import { startApp } from "../support/terminal-app.ts";

const isLong = process.env["TUNACODE_LONG"] === "1";
const APPS = isLong ? 60 : 1;
const LINES = isLong ? 200_000 : 5_000;

/** Visits everything that shows a name, each made by `text`. Returns what was written to the terminal. */
async function visit(text: () => string): Promise<string> {
  const app = startApp({
    turns: [
      [
        { call: "bash", args: { command: text() } },
        { call: "read_file", args: { filepath: text() } },
      ],
      [{ thought: text() }, { text: `${text()}\n\n- ${text()}\n\nend` }],
    ],
    tools: [
      tool("bash", "write", (_args, { progress }) => {
        progress(text());
        return text();
      }),
      tool("read_file", "read", () => {
        throw new ToolError(text());
      }),
    ],
    columns: 200,
    rows: 40,
    ports: {
      folder: text(),
      gitBranch: async () => text(),
      fileIndex: async () => Array.from({ length: 8 }, () => `x${text()}`),
      listModels: async () => [
        { name: `mine:${text()}`, recent: false, usable: true, detail: text() },
        { name: `other:${text()}`, recent: true, usable: true, detail: text() },
      ],
      listSessions: async () =>
        ["a", "b", "c"].map((id) => ({
          id,
          title: `x${text()}`,
          lastModified: "2026-01-01T00:00:00.000Z",
          model: text(),
        })),
      previewSession: async () => text(),
      customCommands: async () => [{ name: "mycommand", description: text(), expand: () => text() }],
      promptHistory: async () => [text()],
      doctor: async () => [["ok", text(), text()]],
      exportFile: async () => text(),
      runShell: async (_command, { onOutput }) => {
        onOutput(text());
        return { output: text(), exitCode: 0 };
      },
    },
    agent: {
      session: { id: "session-x", resumed: false, notices: [text(), text()] },
      model: () => ({ name: `demo:${text()}`, contextWindow: 1_000 }),
      title: () => text(),
      rules: {
        list: () => [{ verdict: "ask", text: text(), source: "project" }],
        add: () => {},
        remove: () => false,
      },
      permissionReviews: () => [
        { toolCallId: "a", toolName: text(), call: text(), verdict: "ask", reason: text(), model: text() },
      ],
    },
  });
  await app.see("Ask anything");
  for (const line of ["/doctor", "/permissions reviews", "/help", "/status", "/export", "!ls", "go"]) {
    app.type(line);
    app.press("enter");
    await app.until(() => true);
    await Bun.sleep(30);
  }
  await app.see("end");
  for (const line of ["/resume", "/model", "/permissions"]) {
    app.type(line);
    app.press("enter");
    await app.see("Enter chooses");
    app.press("down");
    await Bun.sleep(30);
    app.press("escape");
    await app.lose("Enter chooses");
  }
  for (const start of ["@x", "/my"]) {
    app.type(start);
    await Bun.sleep(150);
    app.press("tab");
    await Bun.sleep(30);
    app.press("escape", "ctrlC");
    await Bun.sleep(30);
  }
  app.press("up", "ctrlO");
  await Bun.sleep(50);
  app.press("escape");
  await Bun.sleep(30);
  await app.leave();
  return app.terminal.written;
}

test("the app writes the same sequences as with plain names", async () => {
  const known = sequencesIn(await visit(() => "plain name"));
  expect(known.size).toBeGreaterThan(20);
  for (let app = 0; app < APPS; app++) {
    let seed = 1_000 * (app + 3);
    const written = await visit(() => hostileText(seed++));
    expect([...sequencesIn(written).difference(known)]).toEqual([]);
  }
}, 600_000);

test("of a line, only our own colours are left", () => {
  const own = ["\u001b[1m", "\u001b[38;2;1;2;3m", "\u001b[39m", "\u001b[0m", "\u001b[1;38;5;9m"];
  for (let seed = 0; seed < LINES; seed++) {
    const mark = own[seed % own.length] ?? "";
    const line = withOwnColoursOnly(`${mark}${hostileText(seed)}${mark}`);
    const left = line.replaceAll(mark, "").replaceAll("\u001b[38;5;201m", "").replaceAll("\u001b[31m", "");
    expect([seed, /\p{Cc}/u.exec(left)?.[0]]).toEqual([seed, undefined]);
    expect(line.startsWith(mark) && line.endsWith(mark)).toBe(true);
  }
}, 60_000);
