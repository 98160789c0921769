// What is written to a file with several names changes them all, and nobody knows where the others are.
import { statSync } from "node:fs";
import type { TrackedCall } from "./tracking.ts";

/** A call that writes to such a file may change any other. */
export function withAllNames(call: TrackedCall): TrackedCall {
  return call.writes?.some(isShared) === true ? { ...call, writes: null } : call;
}

/** The file at this path, or the one that it leads to, has other names. */
export function isShared(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.nlink > 1;
  } catch {
    // What nobody can look at, nobody can write.
    return false;
  }
}
