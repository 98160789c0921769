// Kills the built binary with -9 at random moments of real turns. Every complete message that was shown is on disk,
// and --continue works.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, text } from "../support/strict-llm-server/turn.ts";

const KILLS = process.env["TUNACODE_LONG"] ? 200 : 12;
/** Longer than a turn takes on a quiet machine, so that every part of it is hit. */
const LATEST_MS = 160;

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());

test(`${KILLS} killed turns lose nothing that was shown`, async () => {
  let shown = 0;
  let midway = 0;
  for (let round = 0; round < KILLS; round++) {
    writeFileSync(join(lab.folder, "note.txt"), `note ${round}\n`);
    lab.script([
      answer(text(`looking-${round} ${"word ".repeat(40)}`, 20), call("read_file", { filepath: "note.txt" })),
      answer(`editing-${round}`, call("bash", { command: `echo done-${round}` }), call("list_dir", {})),
      answer(text(`finished-${round} ${"word ".repeat(200)}`, 50)),
    ]);
    const args = [
      "run",
      "--output",
      "stream-json",
      "--permission",
      "yolo",
      "--sandbox",
      "off",
      `prompt-${round}`,
    ];
    const { child, ended } = lab.start(args);
    await Bun.sleep((round / KILLS) * LATEST_MS + Math.random() * 20);
    child.kill("SIGKILL");
    const { stdout } = await ended;
    const events = wholeLines(stdout);
    const messages = events
      .filter((event) => event["type"] === "message-end")
      .map((event) => event["message"]);
    shown += messages.length;
    if (events.length > 0 && events.at(-1)?.["type"] !== "result") midway++;
    if (messages.length === 0) continue;

    const listed = await lab.run(["sessions", "list", "--output", "json"]);
    const [newest] = JSON.parse(listed.stdout);
    const read = await lab.run(["sessions", "show", newest["session_id"], "--output", "json"]);
    const kept = JSON.stringify(JSON.parse(read.stdout)["messages"]);
    for (const message of messages) for (const word of wordsOf(message)) expect(kept).toContain(word);

    lab.script([answer(`continued-${round}`)]);
    expect(await lab.run(["run", "--continue", "and now?"])).toMatchObject({
      code: 0,
      stdout: `continued-${round}\n`,
    });
  }
  console.log(`${KILLS} kills, ${midway} in the middle of a turn, ${shown} messages shown before: none lost`);
  expect(shown).toBeGreaterThan(0);
  expect(midway).toBeGreaterThan(0);
}, 300_000);

function wholeLines(stdout: string): Record<string, unknown>[] {
  const lines = stdout.split("\n");
  // The kill may have cut off the text after the last line break.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** The words that contain the number of their round and have to be found again. */
function wordsOf(message: unknown): string[] {
  return (
    JSON.stringify(message)
      .match(/[a-z]+-\d+/g)
      ?.filter((word) => /^(prompt|looking|editing|finished|done)-/.test(word)) ?? []
  );
}
