// Where the machine keeps temporary files. Commands in the sandbox have a private folder in their place.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { linksOnDisk, realPath } from "../base/real-path.ts";

/** Outermost first. */
export function temporaryFolders(): readonly string[] {
  const real = [tmpdir(), "/tmp", "/var/tmp"].map((place) => realPath(place, linksOnDisk));
  const found = new Set(real.filter((place) => place !== null).filter((place) => existsSync(place)));
  return [...found].sort((a, b) => a.length - b.length);
}
