import { expect, test } from "bun:test";
import { conversation, notation } from "../../test/support/conversation.ts";
import { interruptedReturn } from "../domain/interrupted.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import { recover } from "./recover.ts";
import { emptyReplay, type Replayed } from "./replay.ts";

/** What a crash left: the history in one line, and whatever else was recorded. */
function left(history: string, known: Partial<Replayed> = {}): Replayed {
  const placed = conversation(history).map((message, at) => ({ seq: at + 1, message }));
  return { ...emptyReplay(), history: placed, ...known };
}

const recovered = (replayed: Replayed) => notation(recover(replayed).messages);
const kinds = (replayed: Replayed) => recover(replayed).report.notes.map(({ kind }) => kind);
const call = (id: string): ToolCallPart => {
  return { kind: "tool-call", toolCallId: id, toolName: "tool", args: {} };
};
const result = (id: string): ToolReturnPart => {
  return { kind: "tool-return", toolCallId: id, toolName: "tool", content: "result" };
};

test("a finished conversation stays unchanged and keeps its objects", () => {
  const replayed = left("user call:a return:a text");
  expect(recover(replayed).messages.every((message, at) => message === replayed.history[at]?.message)).toBe(
    true,
  );
  expect(recover(replayed).report).toEqual({ notes: [], repairs: [] });
});

test("open calls are answered: finished ones with their result, the others with what is known about them", () => {
  const replayed = left("user call:a call:b call:c", {
    settled: new Map([["a", result("a")]]),
    started: new Set(["b"]),
  });
  const { messages } = recover(replayed);
  expect(notation(messages.toSpliced(2, 1))).toBe("user call:a call:b call:c | interrupted");
  expect(messages[2]?.parts).toEqual([
    result("a"),
    interruptedReturn(call("b"), true),
    interruptedReturn(call("c"), false),
  ]);
  expect(kinds(replayed)).toEqual(["closed-call", "closed-call", "closed-turn"]);
});

test("a turn that broke off after its results is closed", () => {
  expect(recovered(left("user call:a return:a"))).toBe("user call:a return:a interrupted");
});

test("a prompt beside results stays open, because the person may send it again", () => {
  expect(recovered(left("user call:a return:a user:more"))).toBe("user call:a return:a user:more");
  expect(recover(left("user call:a return:a user:more")).unsentPrompt).toBeUndefined();
});

test("streamed text is kept, and the prompt it answers with it", () => {
  const replayed = left("user", { partial: "half an answer" });
  expect(recovered(replayed)).toBe("user text:[INTERRUPTED]\n\nhalf_an_answer");
  expect(recover(replayed).unsentPrompt).toBeUndefined();
  expect(kinds(replayed)).toEqual(["kept-partial"]);
});

test("a prompt that nobody answered stays the end of the history and is offered again", () => {
  expect(recovered(left("user:first text user:second"))).toBe("user:first text user:second");
  expect(recover(left("user:first text user:second")).unsentPrompt).toBe("second");
  expect(recover(left("user:only")).unsentPrompt).toBe("only");
});

test("of prompts with files, only the words are offered again", () => {
  const file = { type: "text", text: '<file path="a.ts">\n...' } as const;
  const prompts = ["look at @a.ts", "and be quick"].map((text) => {
    return { kind: "user-prompt", content: [{ type: "text", text }, file] } as const;
  });
  const history = [{ seq: 1, message: { kind: "request", parts: prompts } as const }];
  expect(recover({ ...emptyReplay(), history }).unsentPrompt).toBe("look at @a.ts\n\nand be quick");
});

test("a prompt that was recorded and never became a message is restored and offered again", () => {
  const prompt = { kind: "prompt", index: 2, requestId: "r", content: "new", at: "" } as const;
  expect(recover(left("user text", { prompt })).unsentPrompt).toBe("new");
  expect(recovered(left("user text", { prompt }))).toBe("user text user:new");
  expect(recovered(left("user:new", { prompt, promptTaken: true }))).toBe("user:new");
});

test("a restored prompt follows the unanswered one before it, or replaces it if it says the same", () => {
  const prompt = { kind: "prompt", index: 1, requestId: "r", content: "new", at: "" } as const;
  expect(recovered(left("user:old", { prompt }))).toBe("user:old interrupted user:new");
  expect(recovered(left("user:new", { prompt }))).toBe("user:new");
  expect(recovered(left("user call:a return:a", { prompt }))).toBe(
    "user call:a return:a interrupted user:new",
  );
});

test("text that was streamed for a prompt that never became a message is kept with it", () => {
  const prompt = { kind: "prompt", index: 0, requestId: "r", content: "new", at: "" } as const;
  expect(recovered(left("", { prompt, partial: "half" }))).toBe("user:new text:[INTERRUPTED]\n\nhalf");
});

test("finished work before an unanswered prompt is not lost with it", () => {
  const replayed = left("user call:a return:a | user:next");
  expect(recovered(replayed)).toBe("user call:a return:a interrupted user:next");
  expect(recover(replayed).unsentPrompt).toBe("next");
});
