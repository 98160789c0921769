import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeFiles } from "../../test/support/fake-restorer.ts";
import { type Random, seededRandom } from "../../test/support/random.ts";
import { playTurn, promptText, wordsOf } from "../../test/support/scripted-session.ts";
import { createMask } from "../base/secrets.ts";
import type { FileChange } from "../domain/file-change.ts";
import { createSession, type OpenSession } from "../session/open.ts";
import { createUndo } from "./session-undo.ts";
import type { Undo } from "./undo.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";

setDefaultTimeout(300_000);

interface Ground {
  readonly session: OpenSession;
  readonly files: FakeFiles;
  readonly undo: Undo;
  /** One turn: `path=text` is written, `path=` removed by its first call. */
  readonly turn: (number: number, ...writes: string[]) => Promise<void>;
  readonly words: () => readonly string[];
  readonly texts: () => string;
  /** What the last turn changed, too, and nobody has found yet. */
  readonly late: FileChange[];
}

async function withGround(work: (ground: Ground) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "undo-"));
  const session = createSession({
    folder,
    projectId: "0123456789abcdef",
    workingDirectory: "/p",
    model: "demo:x",
  });
  const files = new FakeFiles();
  const late: FileChange[] = [];
  const undo = createUndo({
    root: "/p",
    state: session.state,
    paths: () => session.writer.paths,
    writer: session.writer,
    files: async () => ({
      restorer: files.restorer(),
      kept: files.kept(folder),
    }),
    settle: async () => {
      for (const change of late.splice(0))
        await session.writer.record({
          type: "files-changed",
          by: { type: "call", toolCallId: "late" },
          changes: [change],
        });
    },
    mask: createMask(["the-secret-key"]),
    onRestored: async () => {},
    uncovered: async () => [],
  });
  const turn = async (number: number, ...writes: string[]) => {
    await playTurn(session, number);
    const changes = writes.map((write): FileChange => {
      const [path = "", text = ""] = write.split("=");
      return files.write(path, text === "" ? undefined : text);
    });
    const by = { type: "call", toolCallId: `id-${number}-0.` } as const;
    await session.writer.record({ type: "files-changed", by, changes });
  };
  const words = () => wordsOf(session.state.conversation.messages);
  const texts = () =>
    [...files.texts]
      .map(([path, text]) => `${path}=${text}`)
      .toSorted()
      .join(" ");
  try {
    await work({ session, files, undo, turn, words, texts, late });
  } finally {
    await session.writer.close();
    rmSync(folder, { recursive: true });
  }
}

const LAST = { target: { type: "last" }, scope: "both" } as const;
const REDO = { target: { type: "redo" }, scope: "both" } as const;

test("the last turn goes with its files, its prompt comes back, and redo brings all of it back", () =>
  withGround(async ({ undo, turn, words, texts }) => {
    await turn(1, "a=1", "b=1");
    await turn(2, "a=2\n", "b=", "c=3");
    const before = words();
    const back = await undo.goBack(LAST);
    expect(back.prompt).toBe(promptText(2));
    expect(back.changes.map(({ path }) => path).toSorted()).toEqual(["a", "b", "c"]);
    expect(texts()).toBe("a=1 b=1");
    expect(words().includes(promptText(2))).toBe(false);
    expect((await undo.turns()).map(({ number, prompt }) => [number, prompt])).toEqual([[1, promptText(1)]]);
    expect((await undo.branches()).map(({ title, prompts }) => [title, prompts])).toEqual([
      [promptText(2), 2],
    ]);
    await undo.goBack(REDO);
    expect(texts()).toBe("a=2\n c=3");
    expect(words()).toEqual(before);
    expect(await undo.branches()).toEqual([]);
    const [, second] = await undo.turns();
    expect(second?.isUndone).toBe(false);
    expect(second?.lines).toEqual({ added: 2, removed: 2 });
    await expect(undo.goBack(REDO)).rejects.toThrow("nothing to redo");
  }));

test("a file that somebody changed stays, unless the person says otherwise; redo then gives their version back", () =>
  withGround(async ({ undo, turn, files, texts }) => {
    await turn(1, "a=1", "b=1");
    files.write("a", "mine");
    const plan = await undo.plan(LAST);
    expect(plan.conflicts.map(({ change, canOverwrite }) => [change.path, canOverwrite])).toEqual([
      ["a", true],
    ]);
    const [conflict] = plan.conflicts;
    const diff = conflict && (await undo.diff(conflict.change));
    expect(diff).toMatchObject({ type: "text", lines: { added: 0, removed: 1 } });
    await undo.goBack(LAST);
    expect(texts()).toBe("a=mine");
    await undo.goBack(REDO);
    expect(texts()).toBe("a=mine b=1");
    await undo.goBack(LAST, ["a"]);
    expect(texts()).toBe("");
    await undo.goBack(REDO);
    expect(texts()).toBe("a=mine b=1");
  }));

test("what is still being looked for when somebody goes back is found first", () =>
  withGround(async ({ undo, turn, files, texts, late }) => {
    await turn(1, "a=1");
    late.push(files.write("b", "1"));
    expect((await undo.plan(LAST)).changes.map(({ path }) => path).toSorted()).toEqual(["a", "b"]);
    late.push(files.write("c", "1"));
    await undo.goBack(LAST);
    expect(texts()).toBe("");
  }));

test("known keys are hidden in what differs", () =>
  withGround(async ({ undo, turn }) => {
    await turn(1, "a=the-secret-key\n");
    const [change] = (await undo.plan(LAST)).changes;
    const diff = change && (await undo.diff(change));
    expect(diff).toMatchObject({ type: "text", lines: { added: 0, removed: 1 } });
    expect(JSON.stringify(diff)).not.toContain("the-secret-key");
  }));

test("a session that goes back to its beginning gets the title of its next prompt, unless a person gave one", () =>
  withGround(async ({ undo, turn, session }) => {
    const { state, writer } = session;
    const next = async (number: number) => {
      await turn(number, `a=${number}`);
      return state.title;
    };
    expect(await next(1)).toBe(promptText(1));
    expect(await next(2)).toBe(promptText(1));
    await undo.goBack(LAST);
    expect(state.title).toBe(promptText(1));
    await undo.goBack(LAST);
    expect(state.title).toBe("");
    await undo.goBack(REDO);
    expect(state.title).toBe(promptText(1));
    await undo.goBack(LAST);
    expect(await next(3)).toBe(promptText(3));
    await writer.title("mine");
    await undo.goBack(LAST);
    expect(await next(4)).toBe("mine");
  }));

test("what somebody wrote between two calls is not taken back with them", () =>
  withGround(async ({ undo, turn, files, texts }) => {
    await turn(1, "a=1");
    files.write("a", "theirs");
    await turn(2, "a=2");
    const to = { target: { type: "prompt", number: 1 }, scope: "both" } as const;
    expect((await undo.plan(to)).conflicts.map(({ change }) => change.path)).toEqual(["a"]);
    await undo.goBack(to);
    expect(texts()).toBe("a=2");
    await undo.goBack(REDO);
    await undo.goBack(LAST);
    expect(texts()).toBe("a=theirs");
  }));

test("the model is told with the next prompt when files and conversation are apart, and once", () =>
  withGround(async ({ undo, turn, session, texts }) => {
    const { state } = session;
    await turn(1, "a=1");
    await turn(2, "b=2");
    await undo.goBack({ ...LAST, scope: "files" });
    expect(texts()).toBe("a=1");
    expect(state.untold).toEqual([expect.stringContaining("as they were before them: b.")]);
    await undo.goBack(REDO);
    expect(state.untold).toHaveLength(2);
    await undo.goBack(LAST);
    expect(state.untold).toEqual([]);
    await undo.goBack(REDO);
    await undo.goBack({ ...LAST, scope: "conversation" });
    expect(texts()).toBe("a=1 b=2");
    expect(state.untold).toEqual([expect.stringContaining("not as it has them: b.")]);
    const [branch] = await undo.branches();
    await undo.switchTo(branch?.id ?? "");
    expect(state.untold).toEqual([]);
    await undo.goBack({ ...LAST, scope: "conversation" });
    await turn(3);
    expect(state.untold).toEqual([]);
  }));

test("single turns and calls are taken back alone, and files without the conversation, turn by turn", () =>
  withGround(async ({ undo, turn, texts, words }) => {
    await turn(1, "a=1");
    await turn(2, "b=2");
    await turn(3);
    const before = words();
    await undo.goBack({ target: { type: "turn", number: 1 }, scope: "both" });
    expect(texts()).toBe("b=2");
    await undo.goBack(REDO);
    await undo.goBack({ target: { type: "call", toolCallId: "id-1-0." }, scope: "files" });
    expect(texts()).toBe("b=2");
    expect((await undo.turns()).map(({ isUndone }) => isUndone)).toEqual([true, false, false]);
    await undo.goBack({ ...LAST, scope: "files" });
    expect(texts()).toBe("");
    expect(words()).toEqual(before);
    await expect(undo.goBack({ ...LAST, scope: "files" })).rejects.toThrow("nothing to take back");
    await expect(undo.plan({ target: { type: "prompt", number: 9 }, scope: "both" })).rejects.toThrow(
      "from 1 to 3",
    );
  }));

test("redo after a newer prompt leaves no conversation, but brings files back where the person went back to theirs", () =>
  withGround(async ({ undo, turn, texts, words }) => {
    await turn(1, "a=1", "b=1");
    const before = words();
    await undo.goBack(LAST);
    await turn(2, "a=2");
    await expect(undo.plan(REDO)).rejects.toThrow("a prompt was sent since");
    const [left] = await undo.branches();
    await undo.switchTo(left?.id ?? "");
    expect(words()).toEqual(before);
    const redone = await undo.goBack(REDO);
    expect(redone.conflicts.map(({ change }) => change.path)).toEqual(["a"]);
    expect(texts()).toBe("a=2 b=1");
    expect(words()).toEqual(before);
    await expect(undo.plan(REDO)).rejects.toThrow("There is nothing to redo.");
    const [branch] = await undo.branches();
    expect(branch?.title).toBe(promptText(2));
    await undo.switchTo(branch?.id ?? "");
    expect((await undo.turns()).map(({ prompt }) => prompt)).toEqual([promptText(2)]);
    await expect(undo.switchTo("restore_none")).rejects.toThrow("no branch");
  }));

test("files alone are brought back whatever came after, and from another conversation if that is wanted", () =>
  withGround(async ({ undo, turn, texts, words }) => {
    await turn(1, "a=1");
    await undo.goBack({ ...LAST, scope: "files" });
    await turn(2, "b=2");
    const now = words();
    await undo.goBack(REDO);
    expect(texts()).toBe("a=1 b=2");
    expect(words()).toEqual(now);
    await undo.goBack(LAST);
    await turn(3, "c=3");
    await expect(undo.plan(REDO)).rejects.toThrow("a prompt was sent since");
    await undo.goBack({ ...REDO, scope: "files" });
    expect(texts()).toBe("a=1 b=2 c=3");
    expect(words().includes(promptText(2))).toBe(false);
  }));

/** Random turns, undo and redo; whatever happens, a state that is gone back to is the one that was there. */
async function wander(random: Random, { undo, turn, words, texts }: Ground): Promise<void> {
  const state = () => ({ words: words().join(" "), texts: texts() });
  let atPrompts: ReturnType<typeof state>[] = [];
  let left: { readonly state: ReturnType<typeof state>; readonly atPrompts: typeof atPrompts }[] = [];
  for (let at = 1; at <= 14; at++) {
    const choice = random.below(10);
    if (choice < 5 || atPrompts.length === 0) {
      atPrompts = [...atPrompts, state()];
      left = [];
      await turn(at, `${random.pick(["a", "b", "c"])}=${random.pick(["", "x", `${at}`])}`);
    } else if (choice < 8 || left.length === 0) {
      left = [...left, { state: state(), atPrompts }];
      const number = choice < 7 ? atPrompts.length : 1 + random.below(atPrompts.length);
      const wanted = atPrompts[number - 1];
      const target = choice < 7 ? ({ type: "last" } as const) : ({ type: "prompt", number } as const);
      const { conflicts } = await undo.goBack({ target, scope: "both" });
      expect({ conflicts, ...state() }).toEqual({ conflicts: [], ...(wanted ?? state()) });
      atPrompts = atPrompts.slice(0, number - 1);
    } else {
      const to = left.at(-1);
      left = left.slice(0, -1);
      const { conflicts } = await undo.goBack(REDO);
      expect({ conflicts, ...state() }).toEqual({ conflicts: [], ...(to?.state ?? state()) });
      atPrompts = to?.atPrompts ?? [];
    }
    expect(await undo.turns()).toHaveLength(atPrompts.length);
  }
}

test("undo and redo at random points: files and conversation are what they were", async () => {
  for (let seed = 1; seed <= (LONG ? 300 : 6); seed++)
    await withGround((ground) => wander(seededRandom(seed), ground));
});

test("a request and going back never run at the same time", () =>
  withGround(async ({ undo, turn, session }) => {
    const { takeTurn } = await import("./request-turn.ts");
    await turn(1, "a=1");
    const end = await takeTurn(session.state, new AbortController().signal);
    await expect(undo.goBack(LAST)).rejects.toThrow("A request is running");
    end();
    await undo.goBack(LAST);
  }));
