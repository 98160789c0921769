// Text that is handed to a program as an argument or a variable.
import { z } from "zod";

/** The kernel takes no NUL there. */
export function variableText() {
  return z.string().refine((value) => !value.includes("\0"), "can't hold a NUL character");
}

export function argumentText() {
  return variableText().min(1);
}
