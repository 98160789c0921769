// Makes docs/demo.svg, the picture in the README: a real run of the demo in a terminal, line by line as it came.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY, buildIfStale, ROOT } from "./build.ts";
import { drawScreen } from "./draw-screen.ts";
import { runInTerminal } from "./terminal-run.ts";

const COLUMNS = 88;
/** More than the demo writes, so that nothing scrolls away. */
const ROWS = 80;

await buildIfStale();
const home = mkdtempSync(join(tmpdir(), "tunacode-record-"));
try {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const { code, pieces } = await runInTerminal([BINARY, "demo"], {
    columns: COLUMNS,
    rows: ROWS,
    cwd: home,
    env,
  });
  if (code !== 0) throw new Error(`The demo ended with ${code}.`);
  const picture = join(ROOT, "docs", "demo.svg");
  writeFileSync(
    picture,
    await drawScreen({ columns: COLUMNS, rows: ROWS, command: "tunacode demo", pieces }),
  );
  console.error(`drew ${picture}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
