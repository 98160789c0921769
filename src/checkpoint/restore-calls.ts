// The calls that change names and files during a restore. A port, so that a test can kill the process at each of them,
// and be a second one that changes the same files in between.
import * as fs from "node:fs";

export type RestoreCalls = Pick<
  typeof fs,
  | "chmodSync"
  | "closeSync"
  | "fchmodSync"
  | "fchownSync"
  | "fstatSync"
  | "linkSync"
  | "lstatSync"
  | "mkdirSync"
  | "openSync"
  | "readdirSync"
  | "readlinkSync"
  | "realpathSync"
  | "renameSync"
  | "rmdirSync"
  | "symlinkSync"
  | "unlinkSync"
  | "writeSync"
>;

export const nodeCalls: RestoreCalls = fs;

/** What is at the path; undefined if that is nothing, or nobody may look. */
export function statAt(calls: RestoreCalls, path: string): fs.Stats | undefined {
  try {
    return calls.lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
