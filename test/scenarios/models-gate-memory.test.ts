// The gate remembers what it let pass. That changes no verdict, whatever is sent in whatever order; and of a
// conversation that grows it reads only the end, by every vendor's SDK.
import { expect, test } from "bun:test";
import { parseJson } from "../../src/base/json.ts";
import { WireGateError } from "../../src/domain/error.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Wire } from "../../src/models/settings.ts";
import { createGate, findViolations } from "../../src/models/wire-gate/gate.ts";
import { bodySequence, LISTS } from "../support/body-sequences.ts";
import { conversation } from "../support/conversation.ts";
import { seededRandom } from "../support/random.ts";
import { listOf } from "../support/strict-llm-server/json-access.ts";
import { mutations } from "../support/strict-llm-server/mutations.ts";
import { scenesOf } from "../support/strict-llm-server/valid-bodies/conversation.ts";
import { bodyOf, validBodies } from "../support/strict-llm-server/valid-bodies/valid-bodies.ts";
import { WIRES } from "../support/strict-llm-server/wire.ts";
import { callModel, VENDOR_PATHS } from "../support/vendor-path.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const SEQUENCES = LONG ? 100_000 : 1_000;
const STEPS = 12;
const GOOGLE_MODEL = "gemini-3-pro";
const MODELS = [GOOGLE_MODEL, "gemini-2.5-pro"];

test.each(WIRES)(
  "%s: what is remembered changes no verdict",
  (wire) => {
    // The long mode looks for what nobody has seen yet; a failure prints its seed.
    const first = LONG ? Date.now() : 1;
    let [sent, refused, known] = [0, 0, 0];
    for (let seed = first; seed < first + SEQUENCES; seed++) {
      const random = seededRandom(seed);
      const gate = countingGate(wire);
      for (const { what, text } of bodySequence(wire, random, STEPS)) {
        const model = random.pick(MODELS);
        const { violations, charactersRead } = gate(text, model);
        const whole = findViolations(wire, text, model);
        if (JSON.stringify(violations) !== JSON.stringify(whole))
          expect({ seed, what, text, violations }).toEqual({ seed, what, text, violations: whole });
        sent++;
        if (whole.length > 0) refused++;
        else if (charactersRead < text.length / 2) known++;
      }
    }
    console.log(
      `${wire}: ${sent} bodies, ${refused} refused, ${known} passed with less than half of them read`,
    );
    expect(refused).toBeGreaterThan(sent / 10);
    expect(known).toBeGreaterThan(sent / 10);
  },
  LONG ? 7_200_000 : 120_000,
);

test.each(WIRES)("%s: every mutation is judged the same right after the body it was made of", (wire) => {
  for (const { name, body } of validBodies(wire)) {
    const gate = countingGate(wire);
    const text = JSON.stringify(body);
    for (const mutation of mutations(body, wire)) {
      const mutated = JSON.stringify(mutation.body);
      const verdicts = [text, mutated].map((sent) => gate(sent, GOOGLE_MODEL).violations);
      const whole = findViolations(wire, mutated, GOOGLE_MODEL);
      if (JSON.stringify(verdicts) !== JSON.stringify([[], whole]))
        expect([name, mutation.name, ...verdicts]).toEqual([name, mutation.name, [], whole]);
    }
  }
});

test.each(WIRES)(
  "%s: at every length, what was remembered with a message is not counted on without it",
  (wire) => {
    const list = LISTS[wire];
    for (const style of ["plain", "rich"] as const) {
      const scenes = scenesOf(
        "user call text user think+call*2 call user text+call text user call*2 text user",
      );
      const body = bodyOf(wire, scenes, style);
      const messages = listOf(body[list]);
      for (const length of messages.keys())
        for (const left of messages.slice(0, length).keys()) {
          const said = messages.slice(0, length);
          const gate = countingGate(wire);
          for (const sent of [said, said.toSpliced(left, 1), said]) {
            const text = JSON.stringify({ ...body, [list]: sent });
            expect(gate(text, GOOGLE_MODEL).violations).toEqual(findViolations(wire, text, GOOGLE_MODEL));
          }
        }
    }
  },
);

test.each(VENDOR_PATHS)("$name: a long conversation is read no further than a short one", async (path) => {
  let body = "";
  const fetch = async (_: unknown, init?: RequestInit) => {
    body = String(init?.body);
    return Promise.reject(new Error("seen"));
  };
  const model = await path.create("http://127.0.0.1:1", { fetch });
  const gate = countingGate(path.wire);
  const send = async (messages: readonly Message[]) => {
    await callModel(model, { messages });
    return gate(body, path.model);
  };
  const read: number[] = [];
  let length = 0;
  for (let rounds = 1; rounds <= 120; rounds++) {
    const main = await send(conversation(`user:main ${talk(rounds)}`));
    // Two subagents beside it.
    const others = [
      await send(conversation("user:one")),
      await send(conversation(`user:two ${talk(rounds % 9)}`)),
    ];
    expect([main, ...others].flatMap(({ violations }) => violations)).toEqual([]);
    read.push(main.charactersRead);
    length = main.length;
  }
  const [early, late] = [Math.max(...read.slice(10, 20)), Math.max(...read.slice(20))];
  expect(late).toBeLessThan(early * 1.2);
  expect(late).toBeLessThan(length / 10);
});

const WORDS = "lorem_ipsum_".repeat(40);

/** Calls and returns, now and then an answer and the next question. */
function talk(rounds: number): string {
  const round = (number: number) =>
    `call:${number} return:${number}=${WORDS} ${number % 4 === 0 ? `text:${WORDS} user:more` : ""}`;
  return Array.from({ length: rounds }, (_, number) => round(number)).join(" ");
}

function countingGate(wire: Wire) {
  let charactersRead = 0;
  const gate = createGate(wire, (json) => {
    charactersRead += json.length;
    return parseJson(json);
  });
  return (body: string, model: string) => {
    charactersRead = 0;
    const violations = violationsOf(() => gate(body, `https://test/models/${model}:stream`));
    return { violations, charactersRead, length: body.length };
  };
}

function violationsOf(pass: () => void): readonly string[] {
  try {
    pass();
    return [];
  } catch (error) {
    if (error instanceof WireGateError) return error.violations;
    throw error;
  }
}
