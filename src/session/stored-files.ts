// Changes of files as the journal stores them: short, because a build may change thousands. A change that can't be read
// is left out, and so is never taken back.

import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { HIDDEN_KEY } from "../base/secrets.ts";
import {
  ABSENT,
  type ChangedBy,
  type ContentId,
  type FileChange,
  type FileImage,
  type RestoreFacts,
} from "../domain/file-change.ts";
import { isNumber, isString, storedList, storedText } from "./stored-keys.ts";

export function encodeChanges(changes: readonly FileChange[]): JsonObject {
  return {
    changes: changes.map(({ path, before, after }) => [path, encodeImage(before), encodeImage(after)]),
  };
}

export function decodeChanges({ changes }: JsonObject): readonly FileChange[] | undefined {
  if (!Array.isArray(changes)) return undefined;
  return changes.flatMap((change) => {
    const [path, before, after] = storedList(change);
    const images = [decodeImage(before), decodeImage(after)] as const;
    // A file whose name held a key has lost its name, and must not come back under another one.
    if (!isString(path) || path.includes(HIDDEN_KEY)) return [];
    if (images[0] === undefined || images[1] === undefined) return [];
    return [{ path, before: images[0], after: images[1] }];
  });
}

export function encodeChangedBy(by: ChangedBy): JsonObject {
  switch (by.type) {
    case "call":
      return { call: by.toolCallId };
    case "restore":
      return { restore: by.restoreId };
    case "other":
      return {};
  }
}

export function decodeChangedBy({ call, restore }: JsonObject): ChangedBy {
  if (isString(call)) return { type: "call", toolCallId: call };
  return isString(restore) ? { type: "restore", restoreId: restore } : { type: "other" };
}

export function encodeRestore(restore: RestoreFacts): JsonObject {
  const { restoreId, at, scope, takesBack, backTo, remark } = restore;
  return { restore: { id: restoreId, at, scope, takes_back: takesBack, back_to: backTo, remark } };
}

export function decodeRestore({ restore }: JsonObject): RestoreFacts | undefined {
  if (!isJsonObject(restore) || !isString(restore["id"])) return undefined;
  const { id, at, scope, takes_back, back_to, remark } = restore;
  return {
    restoreId: id,
    at: storedText(at),
    scope: scope === "files" || scope === "conversation" ? scope : "both",
    takesBack: storedList(takes_back).filter(isString),
    backTo: isString(back_to) ? back_to : null,
    remark: isString(remark) ? remark : null,
  };
}

function encodeImage(image: FileImage): JsonValue {
  switch (image.type) {
    case "absent":
      return null;
    case "file":
      return ["file", image.content, image.mode, image.size];
    case "link":
      return ["link", image.target];
    case "folder":
      return ["folder", image.mode];
    case "special":
      return ["special"];
  }
}

function decodeImage(value: JsonValue | undefined): FileImage | undefined {
  if (value === null) return ABSENT;
  const [type, first, mode, size] = storedList(value);
  if (type === "file" && (first === null || isContentId(first)) && isNumber(mode) && isNumber(size))
    return { type, content: first, mode, size };
  if (type === "link" && isString(first)) return { type, target: first };
  if (type === "folder" && isNumber(first)) return { type, mode: first };
  return type === "special" ? { type } : undefined;
}

/** Nothing else may name a file of the store or a blob. */
function isContentId(value: JsonValue | undefined): value is ContentId {
  return isString(value) && /^(?:sha256|git):[0-9a-f]{40,64}$/.test(value);
}
