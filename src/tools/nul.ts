// Refuses NUL characters in text for a program's arguments or variables, because the kernel does.
import { ToolError } from "../domain/error.ts";

/** The keys are the names of the arguments. */
export function refuseNul(texts: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(texts))
    if (text?.includes("\0")) throw new ToolError(`${name}: can't hold a NUL character`);
}
