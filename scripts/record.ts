// Draws docs/images/demo.svg for the README: a real run of the demo, each line at the time it appeared.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Terminal } from "@xterm/headless";
import { BINARY, buildIfStale, ROOT } from "./build.ts";
import { screenSvg } from "./screen-svg.ts";
import { runInTerminal, type TerminalRun } from "./terminal-run.ts";

const PICTURE = join(ROOT, "docs", "images", "demo.svg");
const COLUMNS = 88;
/** More rows than the demo writes, so that nothing scrolls away. */
const ROWS = 80;
/** Leaves time to read the command first. */
const START_MS = 600;

await buildIfStale();
const home = mkdtempSync(join(tmpdir(), "tunacode-record-"));
try {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const run = await runInTerminal([BINARY, "demo"], { columns: COLUMNS, rows: ROWS, cwd: home, env });
  if (run.code !== 0) throw new Error(`The demo ended with ${run.code}.`);
  writeFileSync(PICTURE, await draw("tunacode demo", run));
  console.error(`drew ${PICTURE}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Draws what a terminal emulator shows, so that the picture is what the program really prints. */
async function draw(command: string, { pieces }: TerminalRun): Promise<string> {
  const terminal = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const appearedAt: number[] = [];
  for (const { text, at } of [{ text: `$ ${command}\r\n\r\n`, at: -START_MS }, ...pieces]) {
    await new Promise<void>((resolve) => terminal.write(text, resolve));
    const row = terminal.buffer.active.cursorY;
    while (appearedAt.length <= row) appearedAt.push(Math.max(0, at + START_MS));
  }
  const picture = { title: command, background: "#14171c", foreground: "#d7dde5", appearedAt };
  const svg = screenSvg(terminal, picture);
  terminal.dispose();
  return svg;
}
