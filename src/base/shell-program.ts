// The shell that commands run in, and how it is given a text as one word.
import { existsSync } from "node:fs";

/** Most systems have it there; on those that don't (NixOS), PATH decides. */
export function shellProgram(): string {
  return existsSync("/bin/bash") ? "/bin/bash" : "bash";
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
