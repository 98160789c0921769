// The shell that commands run in.
import { existsSync } from "node:fs";

/** Most systems have it there; on those that don't (NixOS), PATH decides. */
export function shellProgram(): string {
  return existsSync("/bin/bash") ? "/bin/bash" : "bash";
}
