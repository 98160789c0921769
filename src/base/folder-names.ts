// What is in a folder that need not be there.
import { readdirSync } from "node:fs";

/** None if it can't be read. */
export function folderNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
