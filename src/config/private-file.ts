// Writes a file that nobody else may read, whole or not at all.
import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { writeWholeFile } from "../base/whole-file.ts";
import { ConfigError, errorMessage } from "../domain/error.ts";

export async function writePrivateFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A link (into a repository of dotfiles, say) stays a link; what it leads to is replaced.
    await writeWholeFile(await realpath(path).catch(() => path), text, 0o600);
  } catch (error) {
    throw new ConfigError(`${path} can't be written: ${errorMessage(error)}`);
  }
}
