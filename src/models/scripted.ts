// A model that follows a script: no key, no network. The demo runs on it, and so do the scenarios.

import { abortReason } from "../base/abort.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { newToolCallId } from "../domain/ids.ts";
import type { FinishReason } from "../domain/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../domain/model.ts";
import type { Price, Usage } from "../domain/usage.ts";

/** One answer of the model, as steps in order. Without a finish step it ends as a vendor would end it. */
export type ScriptedTurn = readonly ScriptedStep[];

export type ScriptedStep =
  /** deltas: the number of pieces in which the text arrives; 1 by default. */
  | { readonly text: string; readonly deltas?: number }
  | { readonly thought: string; readonly signature?: string }
  | { readonly call: string; readonly args?: JsonObject; readonly id?: string; readonly rawArgs?: JsonValue }
  | { readonly usage: Usage }
  | { readonly finish: FinishReason }
  | { readonly delayMs: number }
  /** The stream breaks here. */
  | { readonly fail: unknown }
  /** Nothing ever comes, and the signal is ignored. */
  | { readonly hang: true };

export interface Script {
  readonly name?: string;
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  readonly price?: Price;
  /** The answers in order, or a function that makes one for a request. */
  readonly turns: readonly ScriptedTurn[] | ((request: ModelRequest, call: number) => ScriptedTurn);
  readonly clock?: Clock;
  readonly onRequest?: (request: ModelRequest) => void;
  readonly onDrop?: () => void;
}

const OUT_OF_SCRIPT: ScriptedTurn = [{ text: "(The script ends here.)" }];

export function scriptedModel(script: Script): Model {
  const { turns, clock = systemClock } = script;
  let calls = 0;
  return {
    name: script.name ?? "demo:script",
    ...defined({
      contextWindow: script.contextWindow,
      maxOutput: script.maxOutput,
      price: script.price,
      drop: script.onDrop,
    }),
    stream: (request, signal) => {
      script.onRequest?.(request);
      const call = calls++;
      const turn = typeof turns === "function" ? turns(request, call) : (turns[call] ?? OUT_OF_SCRIPT);
      return play(turn, clock, signal);
    },
  };
}

async function* play(turn: ScriptedTurn, clock: Clock, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  for (const step of turn) {
    if (signal.aborted) throw abortReason(signal);
    yield* playStep(step, clock, signal);
  }
  if (turn.some((step) => "finish" in step)) return;
  yield { type: "finish", reason: turn.some((step) => "call" in step) ? "tool-call" : "stop" };
}

async function* playStep(step: ScriptedStep, clock: Clock, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  if ("text" in step) {
    for (const text of split(step.text, step.deltas ?? 1)) yield { type: "text-delta", text };
    yield { type: "part", part: { kind: "text", content: step.text } };
  } else if ("thought" in step) {
    yield { type: "thought-delta", text: step.thought };
    const { thought, signature } = step;
    yield { type: "part", part: { kind: "thinking", content: thought, ...defined({ signature }) } };
  } else if ("call" in step) {
    const { call: toolName, args = {}, id: toolCallId = newToolCallId(), rawArgs } = step;
    yield { type: "call-delta", toolName, characters: JSON.stringify(args).length };
    const call = { kind: "tool-call", toolCallId, toolName, args } as const;
    yield { type: "part", part: { ...call, ...defined({ rawArgs }) } };
  } else if ("usage" in step) {
    yield { type: "usage", usage: step.usage };
  } else if ("finish" in step) {
    yield { type: "finish", reason: step.finish };
  } else if ("delayMs" in step) {
    await clock.sleep(step.delayMs, signal);
  } else if ("fail" in step) {
    throw step.fail;
  } else {
    await new Promise(() => {});
  }
}

function split(text: string, pieces: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / pieces));
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}
