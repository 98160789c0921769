// The built program in a real terminal while a strict vendor answers: steered, queued after, resized, stopped.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkHistory } from "../../src/history/grammar.ts";
import { decodeMessages } from "../../src/session/stored-message.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { outline } from "../support/scenario.ts";
import type { RecordedRequest } from "../support/strict-llm-server/server.ts";
import { type Answer, answer, call, refuse, type Turn, text } from "../support/strict-llm-server/turn.ts";
import { hasTmux, startTmux, type Tmux } from "../support/tmux.ts";

const TIMEOUT_MS = 60_000;
/** A question takes no key of a person who is still typing. */
const TYPING_PAUSE_MS = 700;
/** The line that says how to stop it is gone. */
const NOTHING_RUNS = /^(?!.*Esc stops)/s;
const isThere = hasTmux();
if (!isThere) console.log("skipped: the tests in a real terminal need tmux");

describe.skipIf(!isThere)("the built program in a real terminal, while it runs", () => {
  let lab: CliLab;
  let tmux: Tmux;
  let requestsBefore = 0;

  beforeAll(async () => {
    lab = await openCliLab();
  }, TIMEOUT_MS);
  afterAll(() => lab.close());
  beforeEach(() => {
    requestsBefore = lab.server.requests.length;
    tmux = startTmux({ env: lab.env, cwd: lab.folder });
  });
  afterEach(() => {
    tmux.kill();
    expect(requests().flatMap(({ problems }) => problems)).toEqual([]);
  });

  /** Those of this test. */
  const requests = (): readonly RecordedRequest[] => lab.server.requests.slice(requestsBefore);

  async function start(turns: readonly Turn[], prompt?: string): Promise<void> {
    lab.script(turns);
    await tmux.see(/\$\s*$/);
    tmux.type(
      `${lab.binary} -m openai:gpt-5.4 --sandbox off --allow 'bash(test:*)' --allow 'bash(sleep:*)'; echo code $?`,
    );
    tmux.keys("Enter");
    await tmux.see(/ask · openai/);
    if (prompt !== undefined) send(prompt);
  }

  function send(words: string, key = "Enter"): void {
    tmux.type(words);
    tmux.keys(key);
  }

  /** Out, and the conversation on the disk in one line, which must be a valid one. */
  async function leave(): Promise<string> {
    tmux.keys("C-c", "C-c");
    await tmux.see("code 0");
    const newest = JSON.parse((await lab.run(["sessions", "--output", "json"])).stdout)[0];
    const shown = await lab.run(["sessions", "show", newest.session_id, "--output", "json"]);
    const { messages } = decodeMessages(JSON.parse(shown.stdout).messages);
    expect(checkHistory(messages)).toEqual([]);
    return outline(messages);
  }

  /** A command that runs until the file is there. */
  const waitsFor = (name: string) => call("bash", { command: `until test -e ${name}; do sleep 0.05; done` });
  const open = (name: string) => writeFileSync(join(lab.folder, name), "");

  async function answerYes(): Promise<void> {
    await Bun.sleep(TYPING_PAUSE_MS);
    tmux.keys("y");
  }

  test(
    "Enter steers: the words go with the tool's result",
    async () => {
      await start([answer(waitsFor("gate-1")), answer("the end")], "go");
      await tmux.see("● Run until");
      send("use the other file");
      await tmux.see("↳ with the next tool results: use the other file");
      open("gate-1");
      const screen = await tmux.see("the end");
      expect(screen).toContain("↳ use the other file");
      expect(requests().map(({ text }) => text.includes("use the other file"))).toEqual([false, true]);
      expect(await leave()).toBe("prompt | call:bash | return:bash(completed) prompt | text");
    },
    TIMEOUT_MS,
  );

  test(
    "Alt-Enter queues: the prompt is sent when the request is over",
    async () => {
      await start([answer(waitsFor("gate-2")), answer("one is done"), answer("two is done")], "go");
      await tmux.see("● Run until");
      send("then document it", "M-Enter");
      await tmux.see("↳ afterwards: then document it");
      open("gate-2");
      await tmux.see("two is done");
      expect(requests().map(({ text }) => text.includes("then document it"))).toEqual([false, false, true]);
      expect(await leave()).toBe("prompt | call:bash | return:bash(completed) | text | prompt | text");
    },
    TIMEOUT_MS,
  );

  test(
    "a paste of 5,000 lines is folded, and the vendor gets every one of them",
    async () => {
      const lines = Array.from({ length: 5_000 }, (_, index) => `pasted ${index}`).join("\n");
      await start([answer("I have read it.")]);
      tmux.type("look: ");
      tmux.paste(`${lines}\n`);
      await tmux.see("❯ look: [paste: 5000 lines]");
      send("what is it?");
      await tmux.see("I have read it.");
      const words = JSON.stringify(`look: ${lines}\nwhat is it?`).slice(1, -1);
      expect(requests().map(({ text }) => text.includes(words))).toEqual([true]);
      expect(await leave()).toBe("prompt | text");
    },
    TIMEOUT_MS,
  );

  test(
    "resized while it streams: no line is lost",
    async () => {
      await start([streamed(60)], "write");
      await tmux.see("line 5.");
      for (const [columns, rows] of [
        [50, 20],
        [110, 12],
        [80, 24],
      ] as const) {
        tmux.resize(columns, rows);
        await Bun.sleep(150);
      }
      await tmux.see("line 59.");
      await tmux.see(NOTHING_RUNS);
      expect(await leave()).toBe("prompt | text");
      const seen = new Set(tmux.everything().match(/line \d+\./g));
      expect(linesOf(60).filter((line) => !seen.has(line))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "in plan mode nothing is written before the plan is approved",
    async () => {
      const write = (filepath: string) => call("write_file", { filepath, content: "planned" });
      const turns = [
        answer(write("early.txt")),
        answer(call("present_plan", { plan: "1. Look\n2. Write it" })),
        answer(write("planned.txt")),
        answer("It is written."),
      ];
      await start(turns, "/plan write a file");
      const screen = await tmux.see("Is this plan right?");
      expect(screen).toContain("2. Write it");
      expect(requests()[1]?.text).toContain("In read-only mode nothing is changed");
      await answerYes();
      await tmux.see("May this file be written?");
      await answerYes();
      await tmux.see("It is written.");
      expect(readdirSync(lab.folder)).toContain("planned.txt");
      expect(readdirSync(lab.folder)).not.toContain("early.txt");
      expect(await leave()).toBe(
        "remark prompt | call:write_file | return:write_file(failed) | call:present_plan | return:present_plan(completed) | call:write_file | return:write_file(completed) | text",
      );
    },
    TIMEOUT_MS,
  );

  test(
    "Escape at a plan keeps plan mode: nothing is written, even if edits need no approval",
    async () => {
      const turns = [
        answer(call("present_plan", { plan: "1. Write it" })),
        answer(call("write_file", { filepath: "unplanned.txt", content: "x" })),
        answer("It was not written."),
      ];
      await start(turns);
      send("/permissions auto-edit");
      await tmux.see(/auto-edit · openai/);
      send("/plan write a file");
      await tmux.see("Is this plan right?");
      tmux.keys("Escape");
      await tmux.see("Stopped.");
      send("go on");
      await tmux.see("It was not written.");
      expect(readdirSync(lab.folder)).not.toContain("unplanned.txt");
      expect(requests().map(({ text }) => text.split("[Plan mode: look").length - 1)).toEqual([1, 2, 2]);
      expect(await leave()).toBe(
        "remark prompt | call:present_plan | return:present_plan(cancelled) | interrupted | remark prompt | call:write_file | return:write_file(failed) | text",
      );
    },
    TIMEOUT_MS,
  );

  describe("Escape stops, keeps everything, and the conversation goes on", () => {
    const never = { headersAfterMs: Number.POSITIVE_INFINITY };
    const moments: readonly (readonly [name: string, turn: Turn, sign: string | RegExp, kept: string])[] = [
      ["before the first byte", { ...answer("late"), delivery: never }, "Waiting for", "interrupted"],
      ["while it streams", streamed(2_000), "line 3.", "interrupted"],
      [
        "in a tool",
        answer(call("bash", { command: "sleep 300" })),
        "● Run sleep 300",
        "call:bash | return:bash(cancelled) | interrupted",
      ],
      [
        "in a permission question",
        answer(call("bash", { command: "touch unasked.txt" })),
        "May this command run?",
        "call:bash | return:bash(cancelled) | interrupted",
      ],
      [
        "in the wait before another attempt",
        refuse(429, { headers: { "retry-after": "40" } }),
        /Attempt 2 in \d+s/,
        "interrupted",
      ],
    ];
    for (const [name, turn, sign, kept] of moments)
      test(
        name,
        async () => {
          await start([turn, answer("It goes on.")], "go");
          await tmux.see(sign);
          tmux.keys("Escape");
          await tmux.see("Stopped. Everything up to here is kept");
          expect(requests().length).toBe(1);
          send("again");
          await tmux.see("It goes on.");
          expect(await leave()).toBe(`prompt | ${kept} | prompt | text`);
          expect(readdirSync(lab.folder)).not.toContain("unasked.txt");
        },
        TIMEOUT_MS,
      );
  });
});

function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `line ${index}.`);
}

/** A paragraph an event, slowly. */
function streamed(count: number): Answer {
  const deltas = linesOf(count).map((line) => `${line}\n\n`);
  return { ...answer(text(deltas.join(""), deltas)), delivery: { pieces: "event", betweenPiecesMs: 25 } };
}
