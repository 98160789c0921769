// encrypted_content is bound to the id of its reasoning item.
import { seal } from "../seal.ts";

const PREFIX = "gAAAAA";

export function encryptedFor(reasoningId: string): string {
  return `${PREFIX}${seal("openai", reasoningId)}`;
}

/** The rest after the prefix. Without the prefix, the result is never a valid seal. */
export function sealedPart(encrypted: string): string {
  return encrypted.startsWith(PREFIX) ? encrypted.slice(PREFIX.length) : "";
}
