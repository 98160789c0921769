// Text that is handed to a program as an argument or a variable.
import type { Zod } from "./define-tool.ts";

/** The kernel takes no NUL there. */
export function variableText(z: Zod) {
  return z.string().refine((value) => !value.includes("\0"), "can't hold a NUL character");
}

export function argumentText(z: Zod) {
  return variableText(z).min(1);
}
