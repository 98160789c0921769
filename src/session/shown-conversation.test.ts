import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversation } from "../../test/support/conversation.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";
import type { ShownMessage } from "../domain/summary.ts";
import { applySummary } from "../history/compaction.ts";
import { createSession, forkSession, type OpenSession } from "./open.ts";
import { sessionPaths } from "./paths.ts";
import { reduceEvent } from "./reduce.ts";
import { readShown, ShownConversation } from "./shown-conversation.ts";

/** "one | two" with "—" where it was summed up. */
function outline(shown: readonly ShownMessage[]): string {
  return shown
    .map((message) => (message.kind === "summed-up" ? `— ${message.summary} —` : textOf(message)))
    .join(" | ");
}

function textOf({ parts }: Message): string {
  return parts.map((part) => ("content" in part ? String(part.content) : part.kind)).join("+");
}

/** Sums up what is before the cut, with all of its prompts kept. */
function summedUp(messages: readonly Message[], cut: number, summary: string): AgentEvent {
  const prompts = messages
    .slice(0, cut)
    .flatMap(({ parts }) => parts.filter((part) => part.kind === "user-prompt"))
    .filter(({ content }) => !String(content).startsWith("["));
  const kept = { prompts, dropped: 0, shortened: false };
  const shorter = applySummary({ messages, cut, kept }, summary);
  return { type: "compaction", messages: shorter, tokensBefore: 90, tokensAfter: 8, summary };
}

const SHOWN = "q1 | a1 | q2 | a2 | — s1 — | q3 | a3 | — s2 — | q4 | a4";

async function play(session: OpenSession, shown: ShownConversation): Promise<void> {
  const { state, writer } = session;
  const fold = async (event: AgentEvent) => {
    const before = state.conversation.messages;
    reduceEvent(state, event);
    shown.fold(event, before);
    await writer.record(event);
  };
  const say = async (line: string) => {
    for (const message of conversation(line)) await fold({ type: "message-end", message });
  };
  await say("user:q1 text:a1 user:q2 text:a2");
  await fold(summedUp(state.conversation.messages, 2, "s1"));
  // A message that is already shown is replaced.
  const changed = state.conversation.messages.map((message, at) => (at === 0 ? { ...message } : message));
  await fold({ type: "repair", repairs: [], messages: changed });
  await say("user:q3 text:a3");
  await fold(summedUp(state.conversation.messages, 2, "s2"));
  await say("user:q4 text:a4");
}

test("what was summed up is shown once, while it runs and when it is read again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-shown-"));
  const session = createSession({ folder, projectId: "p", workingDirectory: "/", model: "m" });
  const { state, writer } = session;
  const shown = new ShownConversation();
  await play(session, shown);
  const { messages } = state.conversation;
  expect(outline(shown.list(messages))).toBe(SHOWN);
  await writer.close();
  const read = (await readShown(writer.paths, messages)).list(messages);
  expect(outline(read)).toBe(SHOWN);
  expect(read[4]).toMatchObject({ kind: "summed-up", tokens: { before: 90, after: 8 } });

  // The journal of a copy begins with the summary: what stands beside it is all there is to show.
  const copy = await forkSession(session, folder);
  await copy.writer.close();
  const forked = (await readShown(copy.writer.paths, messages)).list(messages);
  expect(outline(forked)).toBe("q1+q2 | — s2 — | q3 | a3 | q4 | a4");
  rmSync(folder, { recursive: true });
});

test("without a summary no journal is read, and every message is shown as it is", async () => {
  const messages = conversation("user:q1 text:a1");
  const paths = sessionPaths("/nowhere", "p", "s");
  expect((await readShown(paths, messages)).list(messages)).toEqual(messages);
});

test("after going back, and forth again, each conversation is shown with its own summaries", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shown-"));
  try {
    const session = createSession({
      folder,
      projectId: "0123456789abcdef",
      workingDirectory: "/p",
      model: "demo:x",
    });
    const { state, writer } = session;
    await play(session, new ShownConversation());
    const whole = state.conversation.messages.slice();
    const facts = { at: "", scope: "both", takesBack: [], backTo: null, remark: null } as const;
    const go = async (restoreId: string, messages: readonly Message[]) => {
      const event = { type: "restored", restore: { ...facts, restoreId }, messages } as const;
      reduceEvent(state, event);
      await writer.record(event);
      return outline((await readShown(writer.paths, messages)).list(messages));
    };
    expect(await go("restore_1", whole.slice(0, -2))).toBe("q1 | a1 | q2 | a2 | — s1 — | q3 | a3 | — s2 —");
    expect(await go("restore_2", conversation("user:q1 text:a1"))).toBe("q1 | a1");
    expect(await go("restore_3", structuredClone(whole))).toBe(SHOWN);
    await writer.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
