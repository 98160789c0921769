// Words that someone types can't answer a question, whenever it appears, and are not lost; a key that is meant as an
// answer is one.

import { expect, test } from "bun:test";
import type { PersonAnswer } from "../../src/domain/permission.ts";
import { manualClock } from "../support/manual-clock.ts";
import { offering, questionAbout } from "../support/permission-question.ts";
import { seededRandom } from "../support/random.ts";
import { tool } from "../support/scenario.ts";
import { KEYS, startApp } from "../support/terminal-app.ts";
import { typedText, typing } from "../support/typing.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const TYPINGS = LONG ? 1_000 : 30;
const SEED = 16_051;
/** As many requests as one conversation can hold. */
const PER_APP = 100;
const LONG_AGO_MS = 10_000;

const QUESTION = questionAbout({
  toolName: "bash",
  args: { command: "rm -rf build" },
  decision: { decision: "ask", reason: "rm deletes files." },
  offers: [...offering("bash(rm -rf build)"), ...offering("bash(rm:*)"), ...offering("write(build/**)")],
});

/** An app that asks when it is told to, and whose time stands still. */
function start() {
  const clock = manualClock();
  const answers: PersonAnswer[] = [];
  const said: string[] = [];
  let asked = 0;
  let gate = Promise.withResolvers<void>();
  const app = startApp({
    options: { prompt: "go", clock },
    turns: (_request, call) => [{ call: "bash", args: { command: `x ${call}` } }],
    tools: [tool("bash", "write", () => "done")],
    agentPorts: () => ({ loop: { maxIterations: 10_000 } }),
    permit: (person) => async (_call, _tool, signal) => {
      await gate.promise;
      gate = Promise.withResolvers();
      const answer = person.askPermission(QUESTION, signal);
      asked++;
      answers.push(await answer);
      return answers.at(-1)?.type === "stop" ? { type: "stop" } : { type: "allow" };
    },
    through: (front) => ({
      ...front,
      send: (command) => {
        if (command.type === "say" && command.text !== "go") said.push(command.text);
        else front.send(command);
      },
    }),
  });
  return {
    ...app,
    clock,
    answers,
    said,
    ask: async () => {
      const before = asked;
      gate.resolve();
      await app.until(() => asked > before);
    },
    answered: (count: number) => app.until(() => answers.length === count),
    leave: () => {
      app.press("escape");
      return app.leave();
    },
  };
}

test(`${TYPINGS} typings around the moment a question appears: none answers it, none is lost`, async () => {
  const random = seededRandom(SEED);
  for (let done = 0; done < TYPINGS; ) {
    const app = start();
    await app.see("Esc stops");
    for (let turn = 1; turn <= Math.min(PER_APP, TYPINGS); turn++, done++) {
      const text = typedText(random);
      const keys = typing(text, random);
      // It appears before, with or after any of the keys, or long before the first.
      const place = random.below(keys.length + 2) - 1;
      if (place === -1) {
        await app.ask();
        await app.clock.advance(random.pick([0, 1, 200, 3_000, 20_000]));
      }
      for (const [index, { character, after }] of keys.entries()) {
        const early = index === place ? random.below(1_000) / 1_000 : 1;
        await app.clock.advance(after * early);
        if (index === place) await app.ask();
        await app.clock.advance(after * (1 - early));
        app.type(character);
      }
      if (place >= keys.length) await app.ask();
      await app.clock.advance(random.pick([0, 300, 900, 5_000]));
      const answered = () => `${turn} ${JSON.stringify(text)}: ${app.answers.length}`;
      expect(answered()).toBe(`${turn} ${JSON.stringify(text)}: ${turn - 1}`);
      // Whoever ends a line sends it, however long they wait before.
      app.press("enter");
      expect(app.said.at(-1)).toBe(text);
      await app.clock.advance(random.pick([0, 300, 900, 5_000]));
      expect(answered()).toBe(`${turn} ${JSON.stringify(text)}: ${turn - 1}`);
      await app.clock.advance(LONG_AGO_MS);
      app.type("y");
      await app.clock.advance(499);
      await app.answered(turn);
      expect(app.answers.at(-1)).toEqual({ type: "once" });
    }
    await app.leave();
  }
}, 120_000);

const CASES: Readonly<
  Record<string, { keys: readonly (string | number)[]; answer: PersonAnswer | null; left?: string }>
> = {
  "y alone": { keys: ["y", 499], answer: { type: "once" } },
  "y and Enter, at once": { keys: ["y", 20, KEYS.enter, 0], answer: { type: "once" } },
  Enter: { keys: [KEYS.enter, 0], answer: { type: "once" } },
  "Enter on another choice": { keys: [KEYS.down, KEYS.enter, 0], answer: { type: "offer", offer: 0 } },
  "the key of an offer": { keys: ["3", 900], answer: { type: "offer", offer: 2 } },
  Escape: { keys: [KEYS.escape, 0], answer: { type: "stop" } },
  "Escape after a letter": { keys: ["y", 100, KEYS.escape, 0], answer: { type: "stop" } },
  "a letter twice": { keys: ["y", 100, "y", 5_000], answer: null, left: "yy" },
  "a pasted letter": { keys: ["\u001b[200~y\u001b[201~", 5_000], answer: null, left: "y" },
  "a pasted line": { keys: ["\u001b[200~a\r\u001b[201~", 5_000], answer: null, left: "a" },
  "letters at once": { keys: ["y", "e", "s", 5_000], answer: null, left: "yes" },
  "a letter of an input method": { keys: ["はい", 100, "y", 500], answer: null, left: "はいy" },
  "a letter with Shift": { keys: ["Y", 5_000], answer: null, left: "Y" },
  "a letter soon after another": { keys: ["p", 500, "a", 2_000], answer: null, left: "pa" },
  "a letter after a pause": { keys: ["p", 700, "y", 900], answer: { type: "once" }, left: "p" },
  "the next word after a pause": {
    keys: ["o", 100, "k", 100, " ", 2_000, "a", 2_000],
    answer: null,
    left: "ok a",
  },
  "a letter taken back": { keys: ["p", 100, KEYS.backspace, 300, "y", 500], answer: null, left: "y" },
  "a key that repeats itself": { keys: ["y", 300, "\u001b[121;1:2u", 300], answer: { type: "once" } },
};

for (const [name, { keys, answer, left = "" }] of Object.entries(CASES))
  test(`${answer === null ? "no answer" : "an answer"}: ${name}`, async () => {
    const app = start();
    await app.see("Esc stops");
    await app.ask();
    await app.clock.advance(3_000);
    for (const key of keys) {
      if (typeof key === "number") await app.clock.advance(key);
      else app.terminal.input(key);
    }
    if (answer !== null) await app.answered(1);
    expect(app.answers).toEqual(answer === null ? [] : [answer]);
    if (left !== "") {
      if (answer === null) await app.see("May this command run?");
      await app.see(`❯ ${left}`);
    }
    await app.leave();
  });

test("who types is told where it goes, until they pause", async () => {
  const app = start();
  await app.see("Esc stops");
  await app.ask();
  app.type("pl");
  await app.see("typing goes to the prompt: pause to answer");
  await app.clock.advance(700);
  await app.lose("typing goes to the prompt");
  await app.see("❯ pl");
  await app.leave();
});
