// The file that stands beside a session while a call may write, and is left there when the program is killed.
import { join } from "node:path";

/** `folder`: <session>.files. */
export function runningMark(folder: string): string {
  return join(folder, "running-call");
}
