// A key that the model itself says is hidden on every way out: stdout, json, stream-json, the log, the session's files,
// also if it comes in pieces. What runs is what the model wrote.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { configureWires, FOUR_WIRES } from "../support/four-wires.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, text, thought } from "../support/strict-llm-server/turn.ts";
import { TEST_KEY } from "../support/vendor-path.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  lab = await openCliLab();
  env = configureWires(lab);
}, 120_000);
afterAll(() => lab.close());

/** Everything the program has written for itself, but for the files of the project that undo has kept as they are. */
function files(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/blobs/"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

const said = `The key is ${TEST_KEY}, and ${TEST_KEY.slice(0, 5)} is its start`;
const shown = `The key is [key hidden], and ${TEST_KEY.slice(0, 5)} is its start`;
const LONG = process.env["TUNACODE_LONG"] === "1";
/** Pieces matter most where they are passed on one by one. */
const sizesFor = (form: string) =>
  LONG ? [1, 2, 3, 5, 7, 11, 16, 100] : form.startsWith("stream") ? [1, 7] : [7];
const pieces = (size: number) => said.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

test("of a key that breaks off, no more than the beginning is shown or saved", async () => {
  rmSync(join(lab.home, ".local"), { recursive: true, force: true });
  // The words and the beginning of the key come together: once the words are printed, the beginning is there, too.
  const [begun, rest] = [`The key is ${TEST_KEY.slice(0, 17)}`, TEST_KEY.slice(17)];
  const stall = { pieces: "event", pauses: [{ beforeByte: 650, ms: Number.POSITIVE_INFINITY }] } as const;
  lab.script([{ ...answer(text(begun + rest, [begun, rest])), delivery: stall }]);
  const running = lab.start(["run", "--stream", "-m", "openai-chat:some", "tell me"], { env });
  await running.printed("The key is");
  running.child.kill("SIGINT");
  const { stdout } = await running.ended;
  expect(stdout).toBe("The key is [key hidden]\n");
  for (const way of [stdout, files(join(lab.home, ".local"))])
    expect(way).not.toContain(TEST_KEY.slice(0, 17));
});

describe.each(FOUR_WIRES)("on $api", ({ api, model }) => {
  test.each([["text"], ["stream"], ["json"], ["stream-json"]])("%s", async (form) => {
    for (const size of sizesFor(form)) {
      rmSync(join(lab.home, ".local"), { recursive: true, force: true });
      lab.script([
        answer(
          thought(`I know ${TEST_KEY}`, 3),
          text("Look.", 2),
          call("write_file", { filepath: "made.txt", content: TEST_KEY }),
        ),
        { ...answer(text(said, pieces(size))), delivery: { pieces: "event" } },
      ]);
      const flags = form === "stream" ? ["--stream"] : ["--output", form];
      const args = [
        "run",
        "-m",
        `${api}:${model}`,
        "--permission",
        "auto-edit",
        "--debug",
        ...flags,
        "tell me",
      ];
      const { code, stdout, stderr } = await lab.run(args, { env });
      expect({ code, problems: lab.server.requests.at(-1)?.problems }).toEqual({ code: 0, problems: [] });
      expect(stdout).toContain(shown);
      for (const way of [stdout, stderr, files(join(lab.home, ".local"))])
        expect(way).not.toContain(TEST_KEY);
      expect(readFileSync(join(lab.folder, "made.txt"), "utf8")).toBe(TEST_KEY);
      if (form === "stream-json") {
        const events = stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
        const deltas = events.filter(({ type }) => type === "text-delta").map((event) => event.text);
        expect(deltas.join("")).toBe(`Look.${shown}`);
      }
    }
  });
});
