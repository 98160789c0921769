// A pipe or a device in the place of an ignore file: ripgrep waits for it forever. Looked for only when a search has
// brought nothing for a while.
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const NAMES = [".gitignore", ".ignore", ".rgignore"];
/** Takes about a tenth of a second. */
const MOST_ENTRIES = 20_000;

/** Also looks above, because ripgrep does. Null if there is none, or too much to look at. */
export async function stuckIgnoreFile(folder: string): Promise<string | null> {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const found = await stuckIn(above, NAMES);
    if (found !== null) return found;
  }
  const waiting = [folder];
  let entries = 0;
  for (let next = waiting.pop(); next !== undefined && entries < MOST_ENTRIES; next = waiting.pop()) {
    // A folder that can't be listed isn't searched either.
    const listing = await readdir(next, { withFileTypes: true }).catch(() => []);
    entries += listing.length;
    const present = listing.map(({ name }) => name).filter((name) => NAMES.includes(name));
    const found = await stuckIn(next, present);
    if (found !== null) return found;
    for (const entry of listing)
      if (entry.isDirectory() && entry.name !== ".git") waiting.push(join(next, entry.name));
  }
  return null;
}

async function stuckIn(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFIFO() === true || found?.isCharacterDevice() === true) return path;
  }
  return null;
}
