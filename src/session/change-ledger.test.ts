import { expect, setDefaultTimeout, test } from "bun:test";
import { MemoryDisk } from "../../test/support/memory-disk.ts";
import { type Random, seededRandom } from "../../test/support/random.ts";
import { playTurn, promptText, wordsOf } from "../../test/support/scripted-session.ts";
import { linesOf, newScriptedSession, PATHS } from "../../test/support/session-files.ts";
import { ABSENT, type CallKey, type FileChange, type RestoreFacts } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import { type ChangeLedger, lineTo, readLedger, takenBack } from "./change-ledger.ts";
import { type OpenSession, openSession } from "./open.ts";
import { historyBefore, messagesOf } from "./past-conversation.ts";
import { readJournal } from "./read-journal.ts";
import { reduceEvent } from "./reduce.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";

setDefaultTimeout(300_000);

function facts(restoreId: RestoreId, given: Partial<RestoreFacts> = {}): RestoreFacts {
  return { restoreId, at: "2026", scope: "both", takesBack: [], backTo: null, remark: null, ...given };
}

async function goBack(session: OpenSession, restore: RestoreFacts, messages: readonly Message[]) {
  const event = { type: "restored", restore, messages } as const;
  reduceEvent(session.state, event);
  await session.writer.record(event);
}

function change(path: string): FileChange {
  return { path, before: ABSENT, after: { type: "folder", mode: 0o755 } };
}

async function changeFiles(session: OpenSession, toolCallId: string, ...paths: string[]) {
  const changes = paths.map(change);
  await session.writer.record({ type: "files-changed", by: { type: "call", toolCallId }, changes });
}

function ledgerOf(disk: MemoryDisk, { journal } = PATHS): ChangeLedger {
  return readLedger(readJournal(disk.bytes(journal) ?? Buffer.alloc(0)), "/p");
}

/** The files of each turn of the conversation, by call. */
function outline({ tip }: ChangeLedger): string {
  return lineTo(tip)
    .map(({ prompt, files }) =>
      [
        prompt,
        ...files.map(({ call, changes }) => `${call?.toolCallId}=${changes.map(({ path }) => path)}`),
      ].join(" "),
    )
    .join(" | ");
}

async function reopened(disk: MemoryDisk): Promise<OpenSession> {
  const opening = await openSession(PATHS, { disk });
  if (opening.type !== "open") throw new Error(`The session is ${opening.type}.`);
  return opening.session;
}

test("each turn has what its calls changed, a background job's later changes too", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  await changeFiles(session, "id-1-0.", "a", "b");
  await playTurn(session, 2);
  await changeFiles(session, "id-2-1.", "c");
  await changeFiles(session, "id-1-1.", "d");
  await session.writer.record({ type: "files-changed", by: { type: "other" }, changes: [change("e")] });
  expect(outline(ledgerOf(disk))).toBe("prompt-1. id-1-0.=a,b id-1-1.=d | prompt-2. id-2-1.=c undefined=e");
  await session.writer.close();
});

test("a prompt whose record is damaged keeps what it changed", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  for (const turn of [1, 2, 3]) {
    await playTurn(session, turn);
    await changeFiles(session, `id-${turn}-0.`, `f${turn}`);
  }
  await session.writer.close();
  const lines = linesOf(disk.bytes(PATHS.journal) ?? Buffer.alloc(0)).filter(
    (line) => !/"kind":"prompt".*prompt-2|"kind":"started".*id-2/.test(line.toString()),
  );
  const ledger = readLedger(readJournal(Buffer.concat(lines)), "/p");
  expect(outline(ledger)).toBe("prompt-1. id-1-0.=f1 |  id-2-0.=f2 | prompt-3. id-3-0.=f3");
  const [first, lost, third] = lineTo(ledger.tip);
  if (first === undefined || lost === undefined || third === undefined) throw new Error("Turns are missing.");
  expect(historyBefore(first, ledger)?.length).toBe(0);
  expect(historyBefore(lost, ledger)).toBeNull();
  expect(historyBefore(third, ledger)?.length).toBe(8);
});

test("a prompt that was sent again because nobody answered it is one turn", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  await session.writer.prompt(promptText(2), "unanswered");
  await session.writer.close();
  const again = await reopened(disk);
  await again.writer.prompt(promptText(2), "r2");
  const messages = again.state.conversation.messages.slice(0, 4);
  const why = "The last prompt was never answered; the new one replaces it.";
  const repairs = [{ kind: "unanswered-prompt", at: 4, kept: "nothing", why }] as const;
  reduceEvent(again.state, { type: "repair", repairs, messages });
  await again.writer.record({ type: "repair", repairs, messages });
  const ledger = ledgerOf(disk);
  expect(lineTo(ledger.tip).map(({ requestId }) => requestId)).toEqual(["r1", "r2"]);
  expect(ledger.tip?.before?.length).toBe(4);
  await again.writer.close();
});

test("a prompt that nobody answered does not come back once the person has gone back to before it", async () => {
  for (const ending of ["closed", "killed"]) {
    const disk = new MemoryDisk();
    const session = newScriptedSession(disk);
    await playTurn(session, 1);
    await session.writer.prompt(promptText(2), "r2");
    await goBack(session, facts("restore_1", { backTo: "r2" }), session.state.conversation.messages);
    if (ending === "closed") await session.writer.close();
    else disk.remove(PATHS.lease);
    const again = await reopened(disk);
    expect([again.unsentPrompt, wordsOf(again.state.conversation.messages).at(-1)]).toEqual([
      undefined,
      "answer-1.",
    ]);
    await again.writer.close();
  }
});

test("an earlier program refuses a journal in which something was taken back, and reads any other", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  await changeFiles(session, "id-1-0.", "a");
  const newest = () => readJournal(disk.bytes(PATHS.journal) ?? Buffer.alloc(0)).newestFormat;
  expect(newest()).toBe(1);
  await goBack(session, facts("restore_1", { backTo: "r1" }), []);
  expect(newest()).toBe(2);
  await session.writer.close();
});

test("a journal that is written anew still knows what was changed and taken back, and where each prompt was", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  for (const turn of [1, 2, 3]) {
    await playTurn(session, turn);
    await changeFiles(session, `id-${turn}-0.`, `f${turn}`);
  }
  const restore = facts("restore_1", { takesBack: ["r3/id-3-0."], backTo: "r3" });
  await session.writer.record({
    type: "files-changed",
    by: { type: "restore", restoreId: "restore_1" },
    changes: [change("f3")],
  });
  await goBack(session, restore, session.state.conversation.messages.slice(0, 8));
  await session.writer.renew();
  await playTurn(session, 4);
  await session.writer.close();
  const ledger = ledgerOf(disk);
  expect(outline(ledger)).toBe("prompt-1. id-1-0.=f1 | prompt-2. id-2-0.=f2 | prompt-4.");
  expect(ledger.restores.map(({ facts: { restoreId }, changes }) => [restoreId, changes])).toEqual([
    ["restore_1", [change("f3")]],
  ]);
  const lengths = lineTo(ledger.tip).map((turn) => historyBefore(turn, ledger)?.length);
  expect(lengths).toEqual([0, 4, 8]);
  const again = await reopened(disk);
  expect(again.report).toEqual({ notes: [], repairs: [] });
  expect(again.state.conversation.messages).toEqual(session.state.conversation.messages);
  await again.writer.close();
});

/** What a session did, in the plainest form: which turns there are, and the words of the conversation at any time. */
interface Model {
  line: readonly number[];
  words: readonly string[];
  readonly atPrompt: Map<number, Pick<Model, "line" | "words">>;
  readonly atRestore: Map<RestoreId, Pick<Model, "line" | "words">>;
}

async function step(session: OpenSession, model: Model, random: Random, at: number, disk: MemoryDisk) {
  const { line } = model;
  const choice = random.below(10);
  if (choice < 6 || line.length === 0) {
    model.atPrompt.set(at, { line, words: model.words });
    await playTurn(session, at, { rewrites: true });
    await changeFiles(session, `id-${at}-0.`, `f${at}`);
    model.line = [...line, at];
  } else {
    const restoreId = `restore_${at}`;
    const left = [...model.atRestore.keys()];
    const ledger = ledgerOf(disk);
    const branch = choice < 8 || left.length === 0 ? null : random.pick(left);
    const turn = random.pick(line);
    const to = branch === null ? model.atPrompt.get(turn) : model.atRestore.get(branch);
    const past =
      branch === null
        ? lineTo(ledger.tip).find(({ requestId }) => requestId === `r${turn}`)?.before
        : ledger.restores.find(({ facts: { restoreId: id } }) => id === branch)?.before;
    if (!to || !past) throw new Error("The model or the ledger doesn't know this moment.");
    model.atRestore.set(restoreId, { line, words: model.words });
    const messages = messagesOf(past, session.writer.recorded());
    await goBack(session, facts(restoreId, { backTo: branch ?? `r${turn}` }), messages);
    model.line = to.line;
    expect(wordsOf(session.state.conversation.messages)).toEqual([...to.words]);
  }
  model.words = wordsOf(session.state.conversation.messages);
}

test("turns, branches and conversations are those of a simple model, whatever is summed up, left, taken up or killed", async () => {
  for (let seed = 1; seed <= (LONG ? 400 : 15); seed++) {
    const random = seededRandom(seed);
    const disk = new MemoryDisk();
    let session = newScriptedSession(disk);
    const model: Model = { line: [], words: [], atPrompt: new Map(), atRestore: new Map() };
    for (let at = 1; at <= 12; at++) {
      await step(session, model, random, at, disk);
      const ending = random.below(6);
      // A clean exit leaves a snapshot; otherwise the journal alone has to do.
      if (ending === 0) await session.writer.close();
      if (ending === 1) disk.remove(PATHS.lease);
      if (ending <= 1) session = await reopened(disk);
      expect(wordsOf(session.state.conversation.messages)).toEqual([...model.words]);
      const ledger = ledgerOf(disk);
      const line = lineTo(ledger.tip);
      expect(line.map(({ prompt }) => prompt)).toEqual(model.line.map(promptText));
      for (const turn of line) {
        const past = historyBefore(turn, ledger);
        const words = model.atPrompt.get(Number(turn.requestId.slice(1)))?.words;
        expect(past && wordsOf(messagesOf(past, new Map()))).toEqual([...(words ?? [])]);
      }
    }
    await session.writer.close();
  }
});

test("a damaged journal gives a ledger of what is left, and nothing that never was", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  const model: Model = { line: [], words: [], atPrompt: new Map(), atRestore: new Map() };
  for (let at = 1; at <= 16; at++) await step(session, model, seededRandom(at), at, disk);
  await session.writer.close();
  const lines = linesOf(disk.bytes(PATHS.journal) ?? Buffer.alloc(0));
  for (let seed = 1; seed <= (LONG ? 2_000 : 100); seed++) {
    const random = seededRandom(seed);
    const left = lines.filter(() => random.below(12) > 0);
    const ledger = readLedger(readJournal(Buffer.concat(left)), "/p");
    for (const turn of lineTo(ledger.tip)) {
      const past = historyBefore(turn, ledger);
      expect(past === null || past.length <= past.list.length).toBe(true);
      for (const { call, changes } of turn.files)
        expect(changes.map(({ path }) => `id-${path.slice(1)}-0.`)).toEqual([call?.toolCallId ?? ""]);
    }
  }
});

test("what is taken back follows from the restores, however often they are taken back themselves", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const restores: RestoreFacts[] = [];
    const calls = Array.from({ length: 5 }, (_, at): CallKey => `r${at}/call`);
    /** By the definition: it is taken back if one of those that take it back is not taken back itself. */
    const isTaken = (id: string): boolean =>
      restores.some(({ restoreId, takesBack }) => takesBack.includes(id) && !isTaken(restoreId));
    for (let at = 0; at < 8; at++) {
      const ids = [...calls, ...restores.map(({ restoreId }) => restoreId)];
      restores.push(
        facts(`restore_${at}`, { takesBack: ids.filter((id) => random.below(3) === 0 && !isTaken(id)) }),
      );
      const taken = takenBack(restores);
      for (const id of ids) expect(taken.has(id)).toBe(isTaken(id));
    }
  }
});

test("changes with which a window notices that it lost the session are in the fork", async () => {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  await playTurn(session, 1);
  await changeFiles(session, "c1", "one");
  for (const path of disk.paths()) if (path.startsWith(PATHS.lease)) await disk.remove(path);
  await disk.makeMark(`${PATHS.lease}/99`, "{}");
  await changeFiles(session, "c2", "two");
  await changeFiles(session, "c2", "three");
  const { paths } = session.writer;
  expect(paths.sessionId).not.toBe(PATHS.sessionId);
  expect(outline(ledgerOf(disk, paths))).toBe(" c2=two c2=three");
});
