// Writes a file that nobody else may read, whole or not at all.
import { chmod, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, errorMessage } from "../domain/error.ts";

export async function writePrivateFile(path: string, text: string): Promise<void> {
  try {
    await replace(path, text);
  } catch (error) {
    throw new ConfigError(`${path} can't be written: ${errorMessage(error)}`);
  }
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A link (into a repository of dotfiles, say) stays a link; what it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.${crypto.randomUUID()}`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
    await chmod(temporary, 0o600);
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}
