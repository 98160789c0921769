// Text that is handed to a program as an argument or a variable: the kernel takes no NUL there.
import { ToolError } from "../domain/error.ts";

/** By the names of the arguments. */
export function refuseNul(texts: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(texts))
    if (text?.includes("\0")) throw new ToolError("validation", `${name}: can't hold a NUL character`);
}
