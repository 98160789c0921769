// Plays a scripted session: turns of prompt, streamed text, calls, results and answer. Each has unique words, so that
// a test can tell exactly what is left.
import type { AgentEvent } from "../../src/domain/event.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ToolCallPart, ToolReturnPart } from "../../src/domain/part.ts";
import type { OpenSession, ReadSession } from "../../src/session/open.ts";
import { reduceEvent } from "../../src/session/reduce.ts";

export interface Script {
  /** Extra characters in each result, for histories of a realistic size. */
  readonly padding?: number;
  readonly callsPerTurn?: number;
  /** In every third turn the oldest turn is removed and a result is cleared, as in a compaction. */
  readonly rewrites?: boolean;
  readonly pauseMs?: number;
}

export const promptText = (turn: number) => `prompt-${turn}.`;

/** A turn has 4 messages: prompt, response with calls, results, answer. */
export const MESSAGES_PER_TURN = 4;

/** Everything that happens in one turn after the prompt was recorded. */
function turnEvents(turn: number, { padding = 0, callsPerTurn = 2 }: Script = {}): AgentEvent[] {
  const calls = Array.from({ length: callsPerTurn }, (_, at): ToolCallPart => {
    const name = `${turn}-${at}.`;
    return {
      kind: "tool-call",
      toolCallId: `id-${name}`,
      toolName: "bash",
      args: { command: `call-${name}` },
    };
  });
  const results = calls.map((call, at): ToolReturnPart => {
    const { toolCallId, toolName } = call;
    const content = `result-${turn}-${at}. ${"x".repeat(padding)}`;
    return { kind: "tool-return", toolCallId, toolName, content, status: "completed" };
  });
  const prompt: Message = { kind: "request", parts: [{ kind: "user-prompt", content: promptText(turn) }] };
  const plan: Message = {
    kind: "response",
    modelName: "scripted",
    usage: { requestTokens: 10, responseTokens: 5, cachedTokens: 0 },
    parts: [{ kind: "text", content: `plan-${turn}. "quoted" ünïcode 🐟\n` }, ...calls],
  };
  const answer: Message = { kind: "response", parts: [{ kind: "text", content: `answer-${turn}.` }] };
  return [
    { type: "request-start", requestId: `r${turn}`, model: "demo:scripted" },
    { type: "message-end", message: prompt },
    { type: "node-start", iteration: 1 },
    { type: "text-delta", text: `plan-${turn}.` },
    { type: "thought", text: `thought-${turn}.` },
    { type: "message-end", message: plan },
    { type: "usage", call: { promptTokens: 10, completionTokens: 5, cachedTokens: 0, cost: 0.5 } },
    ...calls.flatMap((call, at): AgentEvent[] => {
      const { toolCallId, toolName, args } = call;
      const result = results[at];
      if (result === undefined) return [];
      return [
        { type: "tool-start", toolCallId, toolName, args, hasEffects: true },
        { type: "tool-end", toolCallId, toolName, args, status: "completed", result, durationMs: 1 },
      ];
    }),
    { type: "message-end", message: { kind: "request", parts: results } },
    { type: "node-start", iteration: 2 },
    { type: "text-delta", text: `answer-${turn}` },
    { type: "message-end", message: answer },
    { type: "request-end", outcome: { type: "completed" } },
  ];
}

/** Plays one turn. Like a screen, `seen` gets each complete message once it is saved. */
export async function playTurn(
  session: OpenSession,
  turn: number,
  script: Script = {},
  seen: (words: string) => void = () => {},
): Promise<void> {
  await session.writer.prompt(promptText(turn), `r${turn}`);
  seen(promptText(turn));
  for (const event of turnEvents(turn, script)) {
    if (script.pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, script.pauseMs));
    const rewrite = event.type === "request-end" && script.rewrites === true && turn % 3 === 0;
    if (rewrite) await record(session, compaction(session.state.conversation.messages));
    await record(session, event);
    if (event.type === "message-end") for (const words of wordsOf([event.message])) seen(words);
  }
}

/** As a request does it. */
async function record({ state, writer }: OpenSession, event: AgentEvent): Promise<void> {
  reduceEvent(state, event);
  await writer.record(event);
}

function compaction(messages: readonly Message[]): AgentEvent {
  const kept = messages.slice(MESSAGES_PER_TURN);
  const at = kept.findIndex(({ parts }) => parts.some((part) => part.kind === "tool-return"));
  const cleared = kept.map((message, index) => {
    if (index !== at || message.kind !== "request") return message;
    const parts = message.parts.map((part) =>
      part.kind === "tool-return" ? { ...part, content: "[cleared]" } : part,
    );
    return { ...message, parts };
  });
  return { type: "compaction", messages: cleared, tokensBefore: 2, tokensAfter: 1, summary: null };
}

/** Every unique word of a conversation: prompt-1. plan-1. call-1-0. result-1-0. answer-1. */
export function wordsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => textOf(message).match(MARK) ?? []);
}

export function wordsOfSession({ state }: ReadSession): Set<string> {
  return new Set(wordsOf(state.conversation.messages));
}

const MARK = /\b(?:prompt|plan|call|result|answer)-[\d-]+\./g;

function textOf(message: Message): string {
  return message.parts
    .map((part) => {
      if (part.kind === "tool-call") return JSON.stringify(part.args);
      if (part.kind === "unknown") return "";
      return typeof part.content === "string" ? part.content : JSON.stringify(part.content);
    })
    .join("\n");
}
