// Everything that can happen to a history in a file. Each kind of damage is one function that picks its position by
// number.
import fc from "fast-check";
import type { Message } from "../../src/domain/message.ts";
import { isAnswer, type Part, type RequestPart, type ResponsePart } from "../../src/domain/part.ts";
import { deepFrozen } from "./deep-frozen.ts";
import { validHistory } from "./generated-history.ts";

/** `where` and `other` are any natural numbers. */
type Damage = (messages: readonly Message[], where: number, other: number) => readonly Message[];

export interface DamagedHistory {
  readonly damages: readonly string[];
  readonly messages: readonly Message[];
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  "a message is lost": (messages, where) => messages.toSpliced(pick(messages, where), 1),
  "a message is doubled": (messages, where) => insert(messages, where, messages[pick(messages, where)]),
  "a message is doubled elsewhere": (messages, where, other) =>
    insert(messages, other, messages[pick(messages, where)]),
  "neighbours are swapped": (messages, where) => swap(messages, where, where + 1),
  "messages are swapped": (messages, where, other) => swap(messages, where, other),
  "the beginning is cut off": (messages, where) => messages.slice(pick(messages, where)),
  "the end is cut off": (messages, where) => messages.slice(0, pick(messages, where)),
  "a message is cut in two": (messages, where, other) =>
    change(messages, where, (message) => {
      const middle = pick(message.parts, other);
      return [keepParts(message, (_, at) => at < middle), keepParts(message, (_, at) => at >= middle)];
    }),
  "half of a message is lost": (messages, where, other) =>
    change(messages, where, (message) => [keepParts(message, (_, at) => at < pick(message.parts, other))]),
  "the returns of a request are lost": (messages, where) => withoutAnswers(messages, where),
  "the calls of a response are lost": (messages, where) =>
    change(messages, where, (message) => [keepParts(message, (part) => !isCall(part))], hasCalls),
  "returns are moved to the front": (messages, where) => moveAnswers(messages, where, 0),
  "returns are moved elsewhere": (messages, where, other) => moveAnswers(messages, where, other),
  "returns are moved into another request": (messages, where, other) =>
    copyAnswers(withoutAnswers(messages, where), messages, where, other),
  "returns stand twice": (messages, where, other) => copyAnswers(messages, messages, where, other),
  "returns stand behind prompts": (messages, where) =>
    changeRequest(messages, where, (parts) => [{ kind: "user-prompt", content: "prompt x" }, ...parts]),
  "an answer is cancelled as well": (messages, where, other) =>
    changeRequest(messages, where, (parts) => {
      const answer = parts.filter(isAnswer)[other % 2];
      if (answer?.kind !== "tool-return") return [...parts];
      return [{ ...answer, status: "cancelled", content: "cancelled" }, ...parts];
    }),
  "ids of calls are emptied": (messages, where) => renameCalls(messages, where, () => ""),
  "ids of calls are blank": (messages, where) => renameCalls(messages, where, () => "  "),
  "ids of answers are emptied": (messages, where) => renameAnswers(messages, where, () => ""),
  "all ids are emptied": (messages) => renameAll(messages, () => ""),
  "an id is repeated in one response": (messages, where) => {
    const [first, ...others] = callIds(messages[pickWhere(messages, where, hasCalls)]);
    return first === undefined
      ? messages
      : renameAll(messages, (own) => (others.includes(own) ? first : own));
  },
  "an id is repeated in one response, its returns keep theirs": (messages, where) => {
    const first = callIds(messages[pickWhere(messages, where, hasCalls)])[0];
    return first === undefined ? messages : renameCalls(messages, where, () => first);
  },
  "an id is repeated across the history": (messages, where, other) => {
    const ids = messages.flatMap(callIds);
    const [id, copied] = [ids[pick(ids, where)], ids[pick(ids, other)]];
    return copied === undefined ? messages : renameAll(messages, (own) => (own === id ? copied : own));
  },
  "every response counts its calls from 0": (messages) => {
    const places = new Map(messages.flatMap((message) => callIds(message).map((id, at) => [id, `${at}`])));
    return renameAll(messages, (own) => places.get(own) ?? own);
  },
  "all ids are the same": (messages) => renameAll(messages, () => "same"),
  "a blank text": (messages, where) =>
    changeResponse(messages, where, (parts) => [{ kind: "text", content: " \n" }, ...parts]),
  "a blank thought": (messages, where) =>
    changeResponse(messages, where, (parts) => [...parts, { kind: "thinking", content: "" }]),
  "a blank prompt": (messages, where) =>
    changeRequest(messages, where, (parts) => [...parts, { kind: "user-prompt", content: "\t" }]),
  "a blank remark": (messages, where) =>
    changeRequest(messages, where, (parts) => [{ kind: "retry-prompt", content: [] }, ...parts]),
  "a part of unknown kind": (messages, where) =>
    change(messages, where, (message) => [withPart(message, { kind: "unknown", raw: { part_kind: "odd" } })]),
  "a message of unknown parts": (messages, where, other) =>
    insert(messages, where, {
      kind: other % 2 === 0 ? "request" : "response",
      parts: [{ kind: "unknown", raw: "odd" }],
    }),
  "a system part": (messages, where) =>
    change(messages, where, (message) => [
      withPart(message, { kind: "unknown", raw: { part_kind: "system-prompt", content: "You are" } }),
    ]),
  "a response of thinking": (messages, where) =>
    insert(messages, where, { kind: "response", parts: [{ kind: "thinking", content: "hm" }] }),
  "an empty message": (messages, where, other) =>
    insert(messages, where, { kind: other % 2 === 0 ? "request" : "response", parts: [] }),
  "a remark": (messages, where) =>
    insert(messages, where, { kind: "request", parts: [{ kind: "retry-prompt", content: "go on" }] }),
  "a retry prompt without its call": (messages, where) =>
    changeRequest(messages, where, (parts) => [
      ...parts,
      { kind: "retry-prompt", toolCallId: "nowhere", toolName: "grep", content: "again" },
    ]),
  "a return without its call": (messages, where) =>
    changeRequest(messages, where, (parts) => [
      { kind: "tool-return", toolCallId: "nowhere", toolName: "grep", content: "stray" },
      ...parts,
    ]),
  "a response at the beginning": (messages) => [
    { kind: "response", parts: [{ kind: "text", content: "text x" }] },
    ...messages,
  ],
  "a run id": (messages, where) => change(messages, where, (message) => [{ ...message, runId: "run" }]),
};

const damage = fc.tuple(fc.constantFrom(...Object.keys(DAMAGES)), fc.nat(), fc.nat());

export const damagedHistory: fc.Arbitrary<DamagedHistory> = fc
  .tuple(
    validHistory.filter(({ length }) => length > 0),
    fc.array(damage, { minLength: 1, maxLength: 5 }),
  )
  .map(([valid, damages]) => ({
    damages: damages.map(([name]) => name),
    messages: damages
      .reduce<readonly Message[]>(
        (messages, [name, where, other]) =>
          messages.length === 0 ? messages : (DAMAGES[name]?.(messages, where, other) ?? messages),
        valid,
      )
      .map(deepFrozen),
  }));

function pick(items: readonly unknown[], where: number): number {
  return items.length === 0 ? 0 : where % items.length;
}

function insert(messages: readonly Message[], where: number, message: Message | undefined): Message[] {
  return messages.toSpliced(where % (messages.length + 1), 0, ...(message === undefined ? [] : [message]));
}

function swap(messages: readonly Message[], where: number, other: number): readonly Message[] {
  const [first, second] = [pick(messages, where), pick(messages, other)];
  return messages.map(
    (message, at) => messages[at === first ? second : at === second ? first : at] ?? message,
  );
}

function change(
  messages: readonly Message[],
  where: number,
  edit: (message: Message) => readonly Message[],
  fits: (message: Message) => boolean = () => true,
): readonly Message[] {
  const chosen = pickWhere(messages, where, fits);
  return messages.flatMap((message, at) => (at === chosen ? edit(message) : [message]));
}

/** The index of one that matches, or -1. */
function pickWhere(messages: readonly Message[], where: number, fits: (message: Message) => boolean): number {
  const fitting = messages.flatMap((message, at) => (fits(message) ? [at] : []));
  return fitting[pick(fitting, where)] ?? -1;
}

function changeRequest(
  messages: readonly Message[],
  where: number,
  edit: (parts: readonly RequestPart[]) => readonly RequestPart[],
): readonly Message[] {
  return change(
    messages,
    where,
    (message) => (message.kind === "request" ? [{ ...message, parts: edit(message.parts) }] : []),
    (message) => message.kind === "request",
  );
}

function changeResponse(
  messages: readonly Message[],
  where: number,
  edit: (parts: readonly ResponsePart[]) => readonly ResponsePart[],
): readonly Message[] {
  return change(
    messages,
    where,
    (message) => (message.kind === "response" ? [{ ...message, parts: edit(message.parts) }] : []),
    (message) => message.kind === "response",
  );
}

function keepParts(message: Message, keep: (part: Part, at: number) => boolean): Message {
  return message.kind === "request"
    ? { ...message, parts: message.parts.filter(keep) }
    : { ...message, parts: message.parts.filter(keep) };
}

function withPart(message: Message, part: RequestPart & ResponsePart): Message {
  return message.kind === "request"
    ? { ...message, parts: [part, ...message.parts] }
    : { ...message, parts: [...message.parts, part] };
}

function callIds(message: Message | undefined): string[] {
  return message?.parts.flatMap((part) => (part.kind === "tool-call" ? [part.toolCallId] : [])) ?? [];
}

function moveAnswers(messages: readonly Message[], where: number, to: number): readonly Message[] {
  const answers = answersAt(messages, where);
  return insert(withoutAnswers(messages, where), to, { kind: "request", parts: answers });
}

function withoutAnswers(messages: readonly Message[], where: number): readonly Message[] {
  return change(messages, where, (message) => [keepParts(message, (part) => !isAnswer(part))], hasAnswers);
}

function answersAt(messages: readonly Message[], where: number) {
  return messages[pickWhere(messages, where, hasAnswers)]?.parts.filter(isAnswer) ?? [];
}

function copyAnswers(into: readonly Message[], from: readonly Message[], where: number, other: number) {
  const answers = answersAt(from, where);
  return changeRequest(into, other, (parts) => [...parts, ...answers]);
}

type Rename = (id: string) => string;

function renameParts(message: Message, matches: (part: Part) => boolean, rename: Rename): Message {
  const edit = <P extends Part>(part: P): P =>
    matches(part) && "toolCallId" in part && part.toolCallId !== undefined
      ? { ...part, toolCallId: rename(part.toolCallId) }
      : part;
  return message.kind === "request"
    ? { ...message, parts: message.parts.map(edit) }
    : { ...message, parts: message.parts.map(edit) };
}

function renameCalls(messages: readonly Message[], where: number, rename: Rename): readonly Message[] {
  return change(messages, where, (message) => [renameParts(message, isCall, rename)], hasCalls);
}

function renameAnswers(messages: readonly Message[], where: number, rename: Rename): readonly Message[] {
  return change(messages, where, (message) => [renameParts(message, isAnswer, rename)], hasAnswers);
}

function renameAll(messages: readonly Message[], rename: Rename): readonly Message[] {
  return messages.map((message) => renameParts(message, () => true, rename));
}

function isCall(part: Part): boolean {
  return part.kind === "tool-call";
}

function hasCalls({ parts }: Message): boolean {
  return parts.some(isCall);
}

function hasAnswers({ parts }: Message): boolean {
  return parts.some(isAnswer);
}
