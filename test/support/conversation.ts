// Histories in one line: `conversation("user call:a return:a text")` builds one, `notation(history)` writes it back.
//
// Words are separated by spaces. A word is added to the current message if it fits there; otherwise it starts the next
// message. `|` starts a new message even if the next word would fit.
//
//   in a request    user  image  return:ID  retry:ID (answers a call)  remark (a retry prompt without a tool)
//   in a response   text  think  signed (blank thinking only its vendor can read)  call:ID
//   in either       unknown  system
//   a new message   request  response (empty if no word joins it)
//   placeholders    lost  interrupted  cleared:ID
//
// user, text, think and remark can be given text: `user:hello_world`, with _ for a space; `user:` is blank.
// ID can be followed by /TOOL, and on a return by !STATUS and =CONTENT: `return:a/grep!failed=none`.
// `call:` has an empty id.
import { INTERRUPTED, type Message } from "../../src/domain/message.ts";
import type { Part, RequestPart, ResponsePart, ReturnStatus } from "../../src/domain/part.ts";
import { LOST_BEGINNING } from "../../src/history/lost-beginning.ts";
import { CLEARED_RETURN } from "../../src/history/prune.ts";

type Side = Message["kind"];
type Draft = { kind: "request"; parts: RequestPart[] } | { kind: "response"; parts: ResponsePart[] };

const TOOL = "tool";
const RESULT = "result";

export function conversation(line: string): Message[] {
  const messages: Draft[] = [];
  let starts = true;
  const begin = (side: Side) => messages.push(newMessage(side));
  for (const word of line.split(/\s+/).filter((word) => word !== "")) {
    if (word === "request" || word === "response") {
      begin(word);
      starts = false;
      continue;
    }
    if (word === "|") {
      starts = true;
      continue;
    }
    const [name = "", ...rest] = word.split(":");
    const value = rest.length === 0 ? undefined : rest.join(":");
    const last = messages.at(-1);
    const either = eitherPart(name);
    if (either !== undefined) {
      if (starts || last === undefined) begin(last?.kind ?? "request");
      messages.at(-1)?.parts.push(either);
    } else {
      const part = requestPart(name, value) ?? responsePart(name, value);
      if (part === undefined) throw new Error(`A conversation has no word ${JSON.stringify(word)}.`);
      addPart(messages, part, starts);
    }
    starts = false;
  }
  return messages;
}

export function notation(messages: readonly Message[]): string {
  const words: string[] = [];
  for (const [at, { kind, parts }] of messages.entries()) {
    const first = parts[0];
    const needsSide = first === undefined || first.kind === "unknown";
    if (needsSide) words.push(kind);
    else if (messages[at - 1]?.kind === kind) words.push("|");
    words.push(...parts.map(wordOf));
  }
  return words.join(" ");
}

function addPart(messages: Draft[], part: RequestPart | ResponsePart, starts: boolean): void {
  const side = sideOf(part);
  if (starts || messages.at(-1)?.kind !== side) messages.push(newMessage(side));
  const parts: (RequestPart | ResponsePart)[] = messages.at(-1)?.parts ?? [];
  parts.push(part);
}

function newMessage(side: Side): Draft {
  return side === "request" ? { kind: side, parts: [] } : { kind: side, parts: [] };
}

function sideOf({ kind }: Part): Side {
  return kind === "text" || kind === "thinking" || kind === "tool-call" ? "response" : "request";
}

function eitherPart(name: string) {
  if (name === "unknown") return { kind: "unknown", raw: { part_kind: "novelty" } } as const;
  if (name === "system")
    return { kind: "unknown", raw: { part_kind: "system-prompt", content: "x" } } as const;
  return undefined;
}

function requestPart(name: string, value: string | undefined): RequestPart | undefined {
  switch (name) {
    case "user":
      return { kind: "user-prompt", content: textOf(name, value) };
    case "lost":
      return { kind: "user-prompt", content: LOST_BEGINNING };
    case "image":
      return { kind: "user-prompt", content: [{ type: "image", mediaType: "image/png", data: "AA==" }] };
    case "remark":
      return { kind: "retry-prompt", content: textOf(name, value) };
    case "retry":
      return { kind: "retry-prompt", ...idAndTool(value), content: "retry" };
    case "cleared":
      return { kind: "tool-return", ...idAndTool(value), content: CLEARED_RETURN };
    case "return": {
      const { status, content } = readId(value);
      return {
        kind: "tool-return",
        ...idAndTool(value),
        content: content ?? RESULT,
        ...(isStatus(status) ? { status } : {}),
      };
    }
    default:
      return undefined;
  }
}

function responsePart(name: string, value: string | undefined): ResponsePart | undefined {
  switch (name) {
    case "text":
      return { kind: "text", content: textOf(name, value) };
    case "interrupted":
      return { kind: "text", content: INTERRUPTED };
    case "think":
      return { kind: "thinking", content: textOf(name, value) };
    case "signed":
      return { kind: "thinking", content: "", signature: "signature" };
    case "call":
      return { kind: "tool-call", ...idAndTool(value), args: {} };
    default:
      return undefined;
  }
}

function textOf(name: string, value: string | undefined): string {
  return value === undefined ? name : value.replaceAll("_", " ");
}

function idAndTool(value: string | undefined) {
  const { id, tool } = readId(value);
  return { toolCallId: id, toolName: tool };
}

function readId(value = "") {
  const [, id = "", tool = TOOL, status, content] =
    /^([^/!=]*)(?:\/([^!=]*))?(?:!([^=]*))?(?:=(.*))?$/.exec(value) ?? [];
  return { id, tool, status, content };
}

function isStatus(status: string | undefined): status is ReturnStatus {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function wordOf(part: Part): string {
  switch (part.kind) {
    case "user-prompt":
      if (typeof part.content !== "string") return "image";
      return part.content === LOST_BEGINNING ? "lost" : words("user", part.content);
    case "retry-prompt":
      if (part.toolName === undefined) return words("remark", String(part.content));
      return `retry:${idWord(part.toolCallId ?? "", part.toolName)}`;
    case "tool-return": {
      const id = idWord(part.toolCallId, part.toolName);
      if (part.content === CLEARED_RETURN) return `cleared:${id}`;
      const status = part.status === undefined ? "" : `!${part.status}`;
      return `return:${id}${status}${part.content === RESULT ? "" : `=${part.content}`}`;
    }
    case "text":
      return part.content === INTERRUPTED ? "interrupted" : words("text", part.content);
    case "thinking":
      return part.signature === undefined ? words("think", part.content) : "signed";
    case "tool-call":
      return `call:${idWord(part.toolCallId, part.toolName)}`;
    case "unknown":
      return JSON.stringify(part.raw).includes("system-prompt") ? "system" : "unknown";
  }
}

function words(name: string, content: string): string {
  return content === name ? name : `${name}:${content.replaceAll(" ", "_")}`;
}

function idWord(id: string, tool: string): string {
  return tool === TOOL ? id : `${id}/${tool}`;
}
