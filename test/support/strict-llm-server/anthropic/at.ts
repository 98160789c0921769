// Anthropic names the place at the head of the message.
import type { Problem } from "../wire.ts";

export function at(path: string, message: string): Problem {
  return { path, message: `${path}: ${message}` };
}
