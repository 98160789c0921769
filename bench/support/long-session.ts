// Sessions of a given length as the program itself leaves them, and the same conversation as a call for the bare SDK.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { Message } from "../../src/domain/message.ts";
import { projectIdOf } from "../../src/session/project.ts";
import { encodeMessages } from "../../src/session/stored-message.ts";
import type { Workplace } from "./workplace.ts";

export const SESSION_ID = "11111111-2222-4333-8444-555555555555";

/** In the old program's format: the first run takes it over and leaves it in ours. */
export function writeOldSession(workplace: Workplace, length: number): void {
  const projectId = projectIdOf(workplace.project);
  const at = "2026-01-01T00:00:00.000Z";
  mkdirSync(workplace.sessions, { recursive: true });
  writeFileSync(
    join(workplace.sessions, `${projectId}_${SESSION_ID}.json`),
    JSON.stringify({
      version: 1,
      session_id: SESSION_ID,
      project_id: projectId,
      created_at: at,
      last_modified: at,
      working_directory: workplace.project,
      current_model: "openai:line",
      total_tokens: 0,
      session_total_usage: { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost: 0 },
      thoughts: [],
      messages: encodeMessages(conversation(length)),
    }),
  );
}

/** Keeps a copy of the session's files; the function puts them back as they were. */
export function keepSession({ sessions, home }: Workplace): () => void {
  const kept = join(home, "kept");
  copyAll(sessions, kept);
  return () => {
    rmSync(sessions, { recursive: true, force: true });
    copyAll(kept, sessions);
  };
}

function copyAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(to, file));
}

/** Turns of four: a prompt, a call, its return of a kilobyte, an answer. */
function conversation(length: number): Message[] {
  const messages: Message[] = [];
  for (let turn = 0; messages.length < length; turn++) {
    const toolCallId = `call_${turn}`;
    messages.push(
      { kind: "request", parts: [{ kind: "user-prompt", content: `Question ${turn}: ${prose(100)}` }] },
      {
        kind: "response",
        parts: [
          { kind: "tool-call", toolCallId, toolName: "read_file", args: { filepath: `src/${turn}.ts` } },
        ],
      },
      {
        kind: "request",
        parts: [{ kind: "tool-return", toolCallId, toolName: "read_file", content: prose(1_000) }],
      },
      { kind: "response", parts: [{ kind: "text", content: `Answer ${turn}: ${prose(400)}` }] },
    );
  }
  return messages.slice(0, length);
}

function prose(length: number): string {
  return "const value = await read(file); // and so on\n".repeat(Math.ceil(length / 45)).slice(0, length);
}

interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

/** A request as the server saw it -> the call that makes the SDK send it. */
export function sdkCall(body: string): LanguageModelV4CallOptions {
  const { messages, tools } = JSON.parse(body);
  const names = new Map<string, string>();
  return {
    prompt: (messages as ChatMessage[]).map((message) => sdkMessage(message, names)),
    tools: tools.map((tool: { function: { name: string; description: string; parameters: object } }) => ({
      type: "function",
      name: tool.function.name,
      description: tool.function.description,
      inputSchema: tool.function.parameters,
    })),
  };
}

function sdkMessage(message: ChatMessage, names: Map<string, string>): LanguageModelV4Message {
  const text = message.content ?? "";
  switch (message.role) {
    case "system":
      return { role: "system", content: text };
    case "user":
      return { role: "user", content: [{ type: "text", text }] };
    case "tool": {
      const toolCallId = message.tool_call_id ?? "";
      const toolName = names.get(toolCallId) ?? "";
      const output = { type: "text", value: text } as const;
      return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
    }
    case "assistant": {
      const calls = message.tool_calls ?? [];
      for (const call of calls) names.set(call.id, call.function.name);
      return {
        role: "assistant",
        content: [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...calls.map((call) => ({
            type: "tool-call" as const,
            toolCallId: call.id,
            toolName: call.function.name,
            input: JSON.parse(call.function.arguments),
          })),
        ],
      };
    }
  }
}
