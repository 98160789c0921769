// What a body holds, the same for all four wires: images, thoughts, signatures, calls, results and texts, each with the
// place by which its vendor would name it.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../src/base/json.ts";
import type { Wire } from "../../src/models/settings.ts";

export interface BodyPiece {
  readonly kind: "image" | "thinking" | "signature" | "call" | "result" | "text";
  readonly place: string;
  /** The index of the message. */
  readonly message: number;
  /** Of a text, a result or arguments; the base64 of an image. */
  readonly text: string;
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
}

export function piecesOf(wire: Wire, body: JsonObject): readonly BodyPiece[] {
  switch (wire) {
    case "anthropic":
      return list(body["messages"]).flatMap((message, at) =>
        list(message["content"]).flatMap((block, index) =>
          anthropicPieces(block, at, `messages.${at}.content.${index}`),
        ),
      );
    case "openai-chat":
      return list(body["messages"]).flatMap((message, at) => chatPieces(message, at, `messages[${at}]`));
    case "openai-responses":
      return list(body["input"]).flatMap((item, at) => responsesPieces(item, at, `input[${at}]`));
    case "google":
      return list(body["contents"]).flatMap((message, at) =>
        list(message["parts"]).flatMap((part, index) =>
          googlePieces(part, at, `contents[${at}].parts[${index}]`),
        ),
      );
  }
}

function anthropicPieces(block: JsonObject, message: number, place: string): BodyPiece[] {
  const source = isJsonObject(block["source"]) ? block["source"] : {};
  switch (block["type"]) {
    case "text":
      return [{ kind: "text", place, message, text: words(block["text"]) }];
    case "image":
      return [
        { kind: "image", place, message, text: words(source["data"]), type: words(source["media_type"]) },
      ];
    case "thinking":
      return [
        { kind: "thinking", place, message, text: words(block["thinking"]) },
        { kind: "signature", place, message, text: words(block["signature"]) },
      ];
    case "tool_use":
      return [
        {
          kind: "call",
          place,
          message,
          text: JSON.stringify(block["input"]),
          id: words(block["id"]),
          name: words(block["name"]),
        },
      ];
    case "tool_result":
      return [
        { kind: "result", place, message, text: words(block["content"]), id: words(block["tool_use_id"]) },
        ...list(block["content"]).flatMap((part, at) =>
          anthropicPieces(part, message, `${place}.content.${at}`),
        ),
      ];
    default:
      return [];
  }
}

function chatPieces(item: JsonObject, message: number, place: string): BodyPiece[] {
  const calls = list(item["tool_calls"]).map((call, at): BodyPiece => {
    const { name, arguments: args } = isJsonObject(call["function"]) ? call["function"] : {};
    const callPlace = `${place}.tool_calls[${at}].function`;
    return {
      kind: "call",
      place: callPlace,
      message,
      text: words(args),
      id: words(call["id"]),
      name: words(name),
    };
  });
  const thought = words(item["reasoning_content"]);
  const text = typeof item["content"] === "string" ? item["content"] : "";
  const isResult = item["role"] === "tool";
  return [
    ...(thought === "" ? [] : [{ kind: "thinking", place, message, text: thought } as const]),
    ...(isResult ? [{ kind: "result", place, message, text, id: words(item["tool_call_id"]) } as const] : []),
    ...(text === "" || isResult ? [] : [{ kind: "text", place, message, text } as const]),
    ...list(item["content"]).flatMap((part, at) => openaiContent(part, message, `${place}.content[${at}]`)),
    ...calls,
  ];
}

function responsesPieces(item: JsonObject, message: number, place: string): BodyPiece[] {
  const { type, call_id: callId, name, arguments: args, output } = item;
  const id = words(callId);
  if (type === "function_call")
    return [{ kind: "call", place, message, text: words(args), id, name: words(name) }];
  if (type === "function_call_output")
    return [
      { kind: "result", place, message, text: words(output), id },
      ...list(output).flatMap((part, at) => openaiContent(part, message, `${place}.output[${at}]`)),
    ];
  if (type === "reasoning")
    return [
      { kind: "thinking", place, message, text: JSON.stringify(item["summary"]) },
      { kind: "signature", place, message, text: words(item["encrypted_content"]) },
    ];
  const text = typeof item["content"] === "string" ? item["content"] : "";
  return [
    ...(text === "" ? [] : [{ kind: "text", place, message, text } as const]),
    ...list(item["content"]).flatMap((part, at) => openaiContent(part, message, `${place}.content[${at}]`)),
  ];
}

function openaiContent(part: JsonObject, message: number, place: string): BodyPiece[] {
  const image = part["image_url"];
  const url = isJsonObject(image) ? image["url"] : image;
  const [, type, data] = /^data:([^;]*);base64,(.*)$/s.exec(words(url)) ?? [];
  if (type !== undefined && data !== undefined) return [{ kind: "image", place, message, text: data, type }];
  return [{ kind: "text", place, message, text: words(part["text"]) }];
}

function googlePieces(part: JsonObject, message: number, place: string): BodyPiece[] {
  const { inlineData, functionCall, functionResponse, thought, thoughtSignature, text } = part;
  const found: BodyPiece[] = [];
  if (typeof thoughtSignature === "string" && !thoughtSignature.startsWith("skip"))
    found.push({ kind: "signature", place, message, text: thoughtSignature });
  if (thought === true) found.push({ kind: "thinking", place, message, text: words(text) });
  else if (typeof text === "string") found.push({ kind: "text", place, message, text });
  if (isJsonObject(inlineData))
    found.push({
      kind: "image",
      place,
      message,
      text: words(inlineData["data"]),
      type: words(inlineData["mimeType"]),
    });
  if (isJsonObject(functionCall)) {
    const { name, args } = functionCall;
    found.push({
      kind: "call",
      place,
      message,
      text: JSON.stringify(args),
      id: words(name),
      name: words(name),
    });
  }
  if (isJsonObject(functionResponse)) {
    const { name, response } = functionResponse;
    found.push({ kind: "result", place, message, text: JSON.stringify(response), id: words(name) });
  }
  return found;
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function words(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

/** Whether a text is a JSON object with nothing in it. */
export function isEmptyObject(text: string): boolean {
  const parsed = parseJson(text);
  return parsed.ok && isJsonObject(parsed.value) && Object.keys(parsed.value).length === 0;
}
