// Kills the built binary with -9 during the first request of a session. The prompt is in the next request, and once.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, type Turn, text } from "../support/strict-llm-server/turn.ts";

const KILLS = process.env["TUNACODE_LONG"] ? 50 : 6;
/** Longer than a request takes to arrive on a quiet machine. */
const LATEST_MS = 180;
const SLOW: Turn = {
  ...answer(text(`the answer ${"word ".repeat(40)}`, 5)),
  delivery: { headersAfterMs: 30, pieces: "event", betweenPiecesMs: 5 },
};

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());

test(`a prompt survives ${KILLS} kills at other moments, whatever is said next`, async () => {
  const found = { sent: 0, saved: 0, neither: 0 };
  for (let round = 0; round < KILLS; round++) {
    // Each round has its own sessions.
    const data = join(lab.home, `data-${round}`);
    const env = { XDG_DATA_HOME: data };
    const prompt = `prompt-${round}.`;
    lab.script(() => SLOW);
    const before = lab.server.requests.length;
    const arrived = () => lab.server.requests.slice(before).some((request) => request.text.includes(prompt));
    const { child, ended } = lab.start(["run", prompt], { env });
    if (round % 2 === 0) await Bun.sleep((round / KILLS) * LATEST_MS);
    else {
      for (let waited = 0; !arrived() && waited < 10_000; waited += 2) await Bun.sleep(2);
      await Bun.sleep((round / KILLS) * LATEST_MS);
    }
    child.kill("SIGKILL");
    await ended;
    const isSaved = savedText(data).includes(prompt);
    const isSent = arrived();
    found[isSent ? "sent" : isSaved ? "saved" : "neither"]++;
    // It is saved before it is sent.
    if (isSent) expect(isSaved).toBe(true);
    const words = round % 3 === 0 ? prompt : "go on";
    lab.script([answer("continued")]);
    expect(await lab.run(["run", "--continue", words], { env })).toMatchObject({
      code: 0,
      stdout: "continued\n",
    });
    const request = lab.server.requests.at(-1)?.text ?? "";
    const times = request.split(prompt).length - 1;
    const expected = isSaved || words === prompt ? 1 : 0;
    // An answer that had begun closes the prompt: then the same words are a new prompt.
    const isAnswered = request.includes("[INTERRUPTED]\\n\\nthe ") || request.includes("word word word ");
    expect([round, times]).toEqual([round, words === prompt && isAnswered ? 2 : expected]);
    expect(request).toContain(words);
    expect(savedText(data)).toContain(prompt.slice(0, isSaved ? undefined : 0));
  }
  console.log(
    `${KILLS} kills: ${found.sent} after the prompt was sent, ${found.saved} after it was saved, ${found.neither} before: none lost`,
  );
  expect(found.sent).toBeGreaterThan(0);
}, 300_000);

test("the same prompt given to run -c again and again is in the request once", async () => {
  const env = { XDG_DATA_HOME: join(lab.home, "data-again") };
  for (const flags of [[], ["--continue"], ["--continue"]]) {
    lab.script(() => ({ ...SLOW, delivery: { headersAfterMs: Number.POSITIVE_INFINITY } }));
    const before = lab.server.requests.length;
    const { child, ended } = lab.start(["run", ...flags, "again-and-again"], { env });
    for (let waited = 0; lab.server.requests.length === before && waited < 10_000; waited += 5)
      await Bun.sleep(5);
    child.kill("SIGKILL");
    await ended;
    const request = lab.server.requests.at(-1)?.text ?? "";
    expect(request.split("again-and-again")).toHaveLength(2);
  }
}, 120_000);

/** All that the sessions of a folder hold. */
function savedText(data: string): string {
  const folder = join(data, "tunacode", "sessions");
  if (!existsSync(folder)) return "";
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ name }) => readFileSync(join(folder, name), "utf8")).join("\n");
}
