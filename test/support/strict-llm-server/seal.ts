// Self-verifying signatures, like the vendors': a seal made on one server is valid on another, and a foreign or
// invented one is recognised without any memory.
import { createHash } from "node:crypto";

const PAYLOAD_BYTES = 24;
const PROOF_BYTES = 12;

export type SealOwner = "anthropic" | "anthropic-redacted" | "openai" | "google";

export function seal(owner: SealOwner, payload: string): string {
  const print = digest(payload, PAYLOAD_BYTES);
  return Buffer.concat([print, proof(owner, print)]).toString("base64");
}

/** True if this owner made it, for any payload. */
export function isSeal(owner: SealOwner, value: string): boolean {
  const bytes = Buffer.from(value, "base64");
  if (bytes.length !== PAYLOAD_BYTES + PROOF_BYTES || bytes.toString("base64") !== value) return false;
  return proof(owner, bytes.subarray(0, PAYLOAD_BYTES)).equals(bytes.subarray(PAYLOAD_BYTES));
}

function proof(owner: SealOwner, print: Uint8Array): Buffer {
  return digest(`${owner}:${Buffer.from(print).toString("hex")}`, PROOF_BYTES);
}

function digest(payload: string, bytes: number): Buffer {
  return createHash("sha256").update(payload).digest().subarray(0, bytes);
}
