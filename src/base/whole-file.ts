// Writes a file whole or not at all: other processes see the old one or the new one.
import { open, rename, rm } from "node:fs/promises";

/** The mode is the file's, whatever the umask says. */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
