// Schemas for text that is passed to a program as an argument or an environment variable.
import type { Zod } from "./define-tool.ts";

/** The kernel reads these as C strings, which can't contain a NUL. */
export function variableText(z: Zod) {
  return z.string().refine((value) => !value.includes("\0"), "can't contain a NUL character");
}

export function argumentText(z: Zod) {
  return variableText(z).min(1);
}
