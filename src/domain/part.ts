// The parts of a message. There is no system part, so a system prompt can't be persisted.
import { isBlank } from "../base/blank.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Content } from "./content.ts";
import type { ToolCallId } from "./ids.ts";
import type { ToolDetails } from "./tool-details.ts";

/** Keys of a file that we don't know; kept so that they can be written back. */
export interface Extra {
  readonly extra?: JsonObject;
}

/** What a vendor attached to a part and wants back (signatures, item ids); means nothing to anyone else. */
interface VendorDetails {
  readonly providerDetails?: JsonObject;
}

/** What a person wrote. */
export interface UserPromptPart extends Extra {
  readonly kind: "user-prompt";
  readonly content: Content;
  readonly timestamp?: string;
}

/** How a tool call ended; absent on a return means completed. */
export type ReturnStatus = "completed" | "failed" | "cancelled";

export interface ToolReturnPart extends Extra {
  readonly kind: "tool-return";
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly content: Content;
  readonly status?: ReturnStatus;
  /** What the result was, as data; programs read this and never the content. */
  readonly details?: ToolDetails;
  /** The file with the whole of a result that was too long. */
  readonly keptIn?: string;
  readonly timestamp?: string;
}

/**
 * Words from the program to the model. With a tool name it answers that call, as a tool return does;
 * without one it is a remark: a nudge, a warning, "your call could not be read". The list form is an old
 * program's validation errors.
 */
export interface RetryPromptPart extends Extra {
  readonly kind: "retry-prompt";
  readonly toolCallId?: ToolCallId;
  readonly toolName?: string;
  readonly content: string | readonly JsonValue[];
  readonly timestamp?: string;
}

export interface TextPart extends Extra, VendorDetails {
  readonly kind: "text";
  readonly content: string;
}

/** A model's reasoning. The signature belongs to the provider that wrote it. */
export interface ThinkingPart extends Extra, VendorDetails {
  readonly kind: "thinking";
  readonly content: string;
  readonly signature?: string;
  readonly providerName?: string;
}

export interface ToolCallPart extends Extra, VendorDetails {
  readonly kind: "tool-call";
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: JsonObject;
  /** What the model wrote, where that is not a JSON object; args is {} then, and the call is never run. */
  readonly rawArgs?: JsonValue;
}

/** A part of a kind we don't know: kept and written back, never sent. */
interface UnknownPart {
  readonly kind: "unknown";
  readonly raw: JsonValue;
}

export type RequestPart = UserPromptPart | ToolReturnPart | RetryPromptPart | UnknownPart;
export type ResponsePart = TextPart | ThinkingPart | ToolCallPart | UnknownPart;
export type Part = RequestPart | ResponsePart;

/** An answer to a tool call: its return, or a retry prompt that names the tool. */
export type AnswerPart =
  | ToolReturnPart
  | (RetryPromptPart & { readonly toolCallId: ToolCallId; readonly toolName: string });

export function isAnswer(part: Part): part is AnswerPart {
  if (part.kind === "tool-return") return true;
  return part.kind === "retry-prompt" && part.toolName !== undefined && part.toolCallId !== undefined;
}

/** True if there is nothing to send: blank text, or blank thinking without anything its vendor wants back. */
export function isBlankResponsePart(part: ResponsePart): boolean {
  if (part.kind === "text") return isBlank(part.content);
  if (part.kind !== "thinking") return false;
  return isBlank(part.content) && part.signature === undefined && part.providerDetails === undefined;
}
