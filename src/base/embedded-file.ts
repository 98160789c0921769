// Gives a program that is embedded in our binary a path that can be executed. Inside the binary a file can be
// read but not run, so it is extracted once per content. Run from source, the path on disk is used as it is.
import { access, constants, lstat, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256 } from "./digest.ts";
import { writeWholeFile } from "./whole-file.ts";
import { cacheHome, type Environment } from "./xdg.ts";

/** Where Bun mounts embedded files. */
const EMBEDDED = "/$bunfs/";

/** `places` are tried in order: a folder may be read-only or on a file system that forbids execution. */
export async function extractEmbedded(
  name: string,
  embeddedPath: string,
  places: readonly string[] = extractionPlaces(process.env),
): Promise<string> {
  return embeddedPath.startsWith(EMBEDDED) ? await extractFile(name, embeddedPath, places) : embeddedPath;
}

/** The same for any readable file. */
export async function extractFile(name: string, source: string, places: readonly string[]): Promise<string> {
  const bytes = await readFile(source);
  const digest = sha256(bytes);
  const problems: string[] = [];
  for (const place of places) {
    try {
      return await extractTo(join(place, digest), name, bytes, digest);
    } catch (error) {
      // The next place may do; the reasons are told together.
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`The program ${name} could not be extracted: ${problems.join("; ")}`);
}

export function extractionPlaces(env: Environment): string[] {
  const ownTemporary = join(tmpdir(), `tunacode-${process.getuid?.() ?? 0}`);
  return [join(cacheHome(env), "tunacode", "bin"), join(ownTemporary, "bin")];
}

async function extractTo(folder: string, name: string, bytes: Uint8Array, digest: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The digest's folder, the place, and the folder of our own that holds it.
  for (const level of [folder, dirname(folder), dirname(dirname(folder))]) await refuseForeign(level);
  // A file that is missing or unreadable is written again.
  const present = await readFile(path).then(sha256, () => null);
  if (present !== digest) await writeWholeFile(path, bytes, 0o700);
  // Fails on a file system that is mounted without execution.
  await access(path, constants.X_OK);
  return path;
}

/** In a shared temporary folder somebody else may have been first, and could swap the program after our check. */
async function refuseForeign(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder);
  const mine = process.getuid === undefined || uid === process.getuid();
  if (!mine || (mode & 0o002) !== 0) throw new Error(`${folder} can be changed by other users`);
}
