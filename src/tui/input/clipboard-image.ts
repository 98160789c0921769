// Reads an image from the clipboard with whatever program the system has for it.
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Programs that print a PNG. */
const READERS: readonly (readonly [command: string, ...args: string[]])[] = [
  ["wl-paste", "--no-newline", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
  ["pngpaste", "-"],
];
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const DEADLINE_MS = 3_000;
const MAX_BYTES = 20_000_000;

/** Saves it as a file and returns its path; null: there is no image, or no program to read it. */
export async function saveClipboardImage(): Promise<string | null> {
  for (const [command, ...args] of READERS) {
    const image = await read(command, args);
    if (image === null || !image.subarray(0, PNG_START.length).equals(PNG_START)) continue;
    const folder = await mkdtemp(join(tmpdir(), "tunacode-image-"));
    const path = join(folder, "clipboard.png");
    await writeFile(path, image, { mode: 0o600 });
    return path;
  }
  return null;
}

function read(command: string, args: readonly string[]): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const options = { encoding: "buffer", timeout: DEADLINE_MS, maxBuffer: MAX_BYTES } as const;
    execFile(command, args, options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}
