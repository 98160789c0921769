// encrypted_content is bound to the id of its reasoning item.
import { seal } from "../seal.ts";

const PREFIX = "gAAAAA";

export function encryptedFor(reasoningId: string): string {
  return `${PREFIX}${seal("openai", reasoningId)}`;
}

/** What is left without the prefix; never a seal where the prefix is missing. */
export function sealedPart(encrypted: string): string {
  return encrypted.startsWith(PREFIX) ? encrypted.slice(PREFIX.length) : "";
}
