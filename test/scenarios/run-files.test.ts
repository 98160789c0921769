// Files with a prompt of `tunacode run`: named by --file or by @path in the person's own words.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInTerminal } from "../../scripts/terminal-run.ts";
import { configureWires, FOUR_WIRES } from "../support/four-wires.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer } from "../support/strict-llm-server/turn.ts";

/** One white pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

setDefaultTimeout(60_000);

let lab: CliLab;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  lab = await openCliLab();
  env = configureWires(lab);
  lab.script(() => answer("fine"));
  const files: Readonly<Record<string, string | Buffer>> = {
    "notes.txt": "words of the notes",
    "with space.txt": "words with a space",
    "dot.png": Buffer.from(PNG, "base64"),
    ".env": "SECRET=of-the-project",
    "../outside.txt": "words from outside",
    "inner/near.txt": "words nearby",
    "cut.bin": Buffer.from([1, 0, 2]),
    "large.txt": "x".repeat(200_001),
  };
  mkdirSync(join(lab.folder, ".git"));
  mkdirSync(join(lab.folder, "inner"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(lab.folder, name), content);
}, 120_000);
afterAll(() => lab.close());

async function sent(args: readonly string[], options: Parameters<CliLab["run"]>[1] = {}) {
  const before = lab.server.requests.length;
  const ended = await lab.run(["run", ...args], { ...options, env });
  const requests = lab.server.requests.slice(before);
  return { ...ended, text: requests[0]?.text ?? "", problems: requests.flatMap(({ problems }) => problems) };
}

describe.each(FOUR_WIRES)("on $api", ({ api, model }) => {
  test.each([
    ["--file", ["--file", "dot.png", "--file", "notes.txt", "what is it?"]],
    ["@", ["what is @dot.png, and what does @notes.txt say?"]],
  ])("an image and a text by %s reach the model", async (_, args) => {
    const { code, text, problems } = await sent(["-m", `${api}:${model}`, ...args]);
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    expect(text).toContain(PNG);
    expect(text).toContain("words of the notes");
    expect(text).toContain("notes.txt");
  });
});

test("the person named it, so a secret file and one outside the project are read", async () => {
  const { text } = await sent(["--file", ".env", "--file", "../outside.txt", 'and @"with space.txt"']);
  for (const words of ["of-the-project", "words from outside", "words with a space"])
    expect(text).toContain(words);
});

test("a path is looked for in the working directory, then at the root of the project", async () => {
  const { text } = await sent(["see @near.txt and @notes.txt"], { cwd: join(lab.folder, "inner") });
  expect(text).toContain("words nearby");
  expect(text).toContain("words of the notes");
});

test("a path of --file begins where the command was typed", async () => {
  const { text } = await sent(["--cwd", "inner", "--file", "notes.txt", "hi"]);
  expect(text).toContain("words of the notes");
  expect(text).toContain(join(lab.folder, "notes.txt"));
});

test("a word with an @ that is no file is a word", async () => {
  const { code, text, stderr } = await sent(["ask @nobody about me@example.com"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(text).toContain("ask @nobody about me@example.com");
});

test("text from a pipe is data and names no file", async () => {
  const appended = await sent(["look at @notes.txt"], { stdin: "see @.env\n" });
  expect(appended.text).toContain("words of the notes");
  expect(appended.text).not.toContain("of-the-project");
  const whole = await sent(["-"], { stdin: "see @.env and ./dot.png\n" });
  expect(whole.text).not.toContain("of-the-project");
  expect(whole.text).not.toContain(PNG);
});

test.each([
  ["missing.txt", "is not a file"],
  ["inner", "is not a file"],
  ["cut.bin", "is a binary file of 3 bytes"],
  ["large.txt", "has 200001 bytes, too many"],
])("--file %s is refused before anything is sent", async (path, why) => {
  const { code, stderr, text } = await sent(["--file", path, "hi"]);
  expect({ code, text }).toEqual({ code: 2, text: "" });
  expect(stderr).toContain(`${path} ${why}`);
});

test("of a file in the prompt that can't be sent, the person and the model are told, and the words are sent", async () => {
  const { code, stderr, text } = await sent(["see @cut.bin and @notes.txt"]);
  const told = "cut.bin was not attached: It is a binary file of 3 bytes.";
  expect({ code, stderr }).toEqual({ code: 0, stderr: `tunacode: ${told}\n` });
  expect(text).toContain(`[${told}]`);
  expect(text).toContain("words of the notes");
});

test("in the app --file goes with the first prompt", async () => {
  const before = lab.server.requests.length;
  let prompted = false;
  await runInTerminal([lab.binary, "--plain", "--file", "notes.txt", "the first"], {
    columns: 80,
    rows: 24,
    cwd: lab.folder,
    env: { ...lab.env, ...env },
    onOutput: (written, send) => {
      const answers = written.split("fine").length - 1;
      if (answers === 1 && !prompted) {
        prompted = true;
        send("the second\r");
      } else if (answers === 2) send("/exit\r");
    },
  });
  const prompts = lab.server.requests
    .slice(before)
    .map(({ text }) => text.split("words of the notes").length - 1);
  expect(prompts).toEqual([1, 1]);
}, 20_000);
