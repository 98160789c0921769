// The identifiers of the system and how they are made.

/** A UUID4; part of the session's file name. */
export type SessionId = string;
/** First 8 characters of a UUID4; on every log line of a request. */
export type RequestId = string;
/** Pairs a tool call with its return; unique within a history. */
export type ToolCallId = string;
/** Of one time that a person took something back. */
export type RestoreId = string;
/** `provider:model`. */
export type ModelName = string;

const REQUEST_ID_LENGTH = 8;

export function providerOf(name: ModelName): string {
  return name.split(":", 1)[0] ?? name;
}

export function newSessionId(): SessionId {
  return crypto.randomUUID();
}

export function newRequestId(): RequestId {
  return crypto.randomUUID().slice(0, REQUEST_ID_LENGTH);
}

export function newToolCallId(): ToolCallId {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

export function newRestoreId(): RestoreId {
  return `restore_${crypto.randomUUID().slice(0, REQUEST_ID_LENGTH)}`;
}
