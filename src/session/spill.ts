// Output too long for the conversation, kept whole in files beside the session and deleted with it.
import { basename, join } from "node:path";
import { type Disk, diskErrorCode, writeAll } from "./disk.ts";

/** Under the name, or the name with a number where that is taken. Returns the path. */
export async function writeSpill(disk: Disk, folder: string, name: string, text: string): Promise<string> {
  await disk.makeFolder(folder);
  const safe = basename(name).replaceAll(/[^A-Za-z0-9._-]/g, "_") || "output";
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? safe : `${number}-${safe}`);
    try {
      const file = await disk.open(path, "new");
      try {
        await writeAll(file, Buffer.from(text));
      } finally {
        await file.close();
      }
      return path;
    } catch (error) {
      if (diskErrorCode(error) !== "EEXIST") throw error;
    }
  }
}
