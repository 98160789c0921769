// The demo in a terminal is coloured, and Ctrl-C stops it without losing finished work.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { runInTerminal, type TerminalRunOptions } from "../../scripts/terminal-run.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { decodeMessages } from "../../src/session/stored-message.ts";
import { type CopiedBinary, copyBinary } from "../support/binary.ts";
import { outline } from "../support/scenario.ts";

let binary: CopiedBinary;
beforeAll(async () => {
  binary = await copyBinary();
}, 60_000);
afterAll(() => binary.remove());

const CTRL_C = "\u0003";
const ESCAPE = "\u001b";

async function demo(
  home: string,
  more: Partial<TerminalRunOptions> = {},
): Promise<{ code: number; shown: string }> {
  const env = { HOME: join(binary.folder, home), PATH: "/usr/bin:/bin", ...more.env };
  const { code, pieces } = await runInTerminal([binary.path, "demo"], {
    columns: 70,
    rows: 24,
    cwd: binary.folder,
    ...more,
    env,
  });
  return { code, shown: pieces.map(({ text }) => text).join("") };
}

test.concurrent("it is coloured and wraps between words", async () => {
  const { code, shown } = await demo("coloured");
  expect(code).toBe(0);
  expect(shown).toContain(`${ESCAPE}[32m✓`);
  expect(shown).toContain("I am demo:tour, a script that plays a model. The rest is real. A look\r\naround:");
}, 30_000);

test.concurrent("NO_COLOR is respected", async () => {
  const { shown } = await demo("plain", { env: { NO_COLOR: "1" } });
  expect(shown).toContain("✓");
  expect(shown).not.toContain(ESCAPE);
}, 30_000);

test.concurrent("Ctrl-C ends it with 130 and a valid session", async () => {
  const { code, shown } = await demo("stopped", {
    onOutput: (written, send) => {
      if (written.includes("exit code 1")) send(CTRL_C);
    },
  });
  expect(code).toBe(130);
  expect(shown).not.toContain("✓");
  const env = { HOME: join(binary.folder, "stopped") };
  const [newest] = JSON.parse(binary.run(["sessions", "--all", "--output", "json"], env).stdout);
  const shownSession = binary.run(["sessions", "show", newest.session_id, "--output", "json"], env);
  const { messages } = decodeMessages(JSON.parse(shownSession.stdout).messages);
  expect(checkHistory(messages)).toEqual([]);
  expect(outline(messages)).toContain("return:bash(failed)");
  expect(outline(messages)).toEndWith("interrupted");
}, 30_000);
