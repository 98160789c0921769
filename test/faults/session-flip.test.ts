// With flipped bits and with deleted, duplicated and swapped lines, the session always loads, is valid, lacks at most
// what was damaged, and reports it.
import { expect, test } from "bun:test";
import { checkHistory } from "../../src/history/grammar.ts";
import type { ReadSession } from "../../src/session/open.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { wordsOfSession } from "../support/scripted-session.ts";
import { loadFiles, type WrittenSession, writeSession } from "../support/session-files.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const MARK = /\b(?:prompt|plan|call|result|answer)-[\d-]+\./g;

interface Damage {
  readonly journal: Buffer;
  /** Lines of the original that may be missing afterwards. */
  readonly damaged: readonly number[];
  readonly reported: boolean;
}

const DAMAGES: Record<string, (written: WrittenSession, random: Random) => Damage> = {
  "bit flips": ({ journal, lines }, random) => {
    const flipped = Buffer.from(journal);
    const at = random.below(flipped.length);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
    return { journal: flipped, damaged: [lineAt(lines, at)], reported: true };
  },
  "deleted lines": ({ lines }, random) => {
    const at = random.below(lines.length);
    const left = lines.filter((_, index) => index !== at);
    // A missing record at the very end can't be noticed.
    return { journal: Buffer.concat(left), damaged: [at], reported: at < lines.length - 1 };
  },
  "doubled lines": ({ lines }, random) => {
    const at = random.below(lines.length);
    const to = random.below(lines.length);
    return { journal: Buffer.concat(lines.toSpliced(to, 0, line(lines, at))), damaged: [], reported: true };
  },
  "swapped lines": ({ lines }, random) => {
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    const swapped = lines.with(a, line(lines, b)).with(b, line(lines, a));
    return { journal: Buffer.concat(swapped), damaged: [], reported: a !== b };
  },
  "several at once": ({ lines }, random) => {
    const damaged = Array.from({ length: 2 + random.below(6) }, () => random.below(lines.length));
    const left = lines.filter((_, index) => !damaged.includes(index));
    return { journal: Buffer.concat(left), damaged, reported: damaged.some((at) => at < lines.length - 1) };
  },
};

test("damaged journals load, lack at most what was damaged, and report it", async () => {
  const written = await writeSession(LONG ? 55 : 12);
  const rounds = LONG ? 10_000 : 2_000;
  for (const [name, damage] of Object.entries(DAMAGES)) {
    const random = seededRandom(name.length);
    let lost = 0;
    for (let round = 0; round < rounds; round++) {
      const { journal, damaged, reported } = damage(written, random);
      const session = await loadFiles({ journal });
      const missing = missingWords(written, damaged, session);
      if (missing.length > 0) throw new Error(`${name} ${round}: ${missing.join(" ")} lost with ${damaged}`);
      const violations = checkHistory(session.state.conversation.messages);
      if (violations.length > 0) throw new Error(`${name} ${round}: ${JSON.stringify(violations)}`);
      const { notes, repairs } = session.report;
      if (reported && notes.length + repairs.length === 0) throw new Error(`${name} ${round}: not reported.`);
      lost += notes.filter(({ kind }) => kind === "lost-messages").length;
    }
    console.log(`${name}: ${rounds} loads, ${lost} bridged holes, nothing else lost`);
  }
}, 600_000);

test("a history that was rewritten many times loads unchanged, and survives damage, too", async () => {
  const written = await writeSession(12, { rewrites: true });
  const whole = await loadFiles({ journal: written.journal });
  expect([...wordsOfSession(whole)]).toEqual([...new Set(written.words)]);
  expect(whole.report).toEqual({ notes: [], repairs: [] });
  const random = seededRandom(6);
  for (let round = 0; round < 1_000; round++) {
    const damage = random.pick(Object.values(DAMAGES));
    const { journal, damaged } = damage(written, random);
    const session = await loadFiles({ journal });
    expect(checkHistory(session.state.conversation.messages)).toEqual([]);
    const missing = missingWords(written, damaged, session).filter((word) => written.words.includes(word));
    if (missing.length > 0) throw new Error(`Round ${round}: ${missing.join(" ")} lost with ${damaged}`);
  }
});

test("with its snapshot, a damaged journal loses nothing at all", async () => {
  const written = await writeSession(12);
  const random = seededRandom(1);
  for (let round = 0; round < 500; round++) {
    const damage = random.pick(Object.values(DAMAGES));
    const { journal } = damage(written, random);
    const session = await loadFiles({ journal, snapshot: written.snapshot });
    expect(missingWords(written, [], session)).toEqual([]);
    expect(checkHistory(session.state.conversation.messages)).toEqual([]);
  }
});

test("a damaged snapshot is noticed, and the journal takes its place", async () => {
  const written = await writeSession(12);
  const random = seededRandom(2);
  for (let round = 0; round < 500; round++) {
    const snapshot = Buffer.from(written.snapshot);
    const at = random.below(snapshot.length);
    snapshot[at] = (snapshot[at] ?? 0) ^ (1 << random.below(8));
    const session = await loadFiles({ journal: written.journal, snapshot });
    expect(missingWords(written, [], session)).toEqual([]);
    const noticed = session.report.notes.some(({ kind }) => NOTICED.includes(kind));
    // Damage to the last newline, for example, doesn't change the content.
    if (!noticed)
      expect(JSON.parse(snapshot.toString("utf8"))).toEqual(JSON.parse(written.snapshot.toString("utf8")));
  }
});

const NOTICED: readonly string[] = ["damaged-snapshot", "unreadable-file", "old-program"];

/** Words that are missing although every record that contains them is undamaged. */
function missingWords({ lines }: WrittenSession, damaged: readonly number[], session: ReadSession): string[] {
  const found = wordsOfSession(session);
  const hurt = new Set(damaged.map((at) => String(line(lines, at))));
  return lines
    .map(String)
    .filter((text) => !hurt.has(text) && /"kind":"(?:prompt|message|settled)"/.test(text))
    .flatMap((text) => text.match(MARK) ?? [])
    .filter((word) => !found.has(word));
}

function lineAt(lines: readonly Buffer[], offset: number): number {
  let end = 0;
  return lines.findIndex((each) => {
    end += each.length;
    return offset < end;
  });
}

function line(lines: readonly Buffer[], at: number): Buffer {
  return lines[at] ?? Buffer.alloc(0);
}
