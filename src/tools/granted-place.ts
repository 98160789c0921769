// Holds a call to what was permitted: between the yes and the work a link may have come to lead elsewhere.
import { linksOnDisk, realPath } from "../base/real-path.ts";
import type { Grant } from "../domain/grant.ts";
import { fileError } from "./file-problem.ts";

/** `path` is absolute, as in the tool's demands. Throws unless it still leads where it led when it was judged. */
export function requireGranted(path: string, { places }: Grant): void {
  if (places === undefined) return;
  const place = places.get(path);
  if (place === undefined) throw fileError(`${path} is no part of what was permitted.`);
  if (realPath(path, linksOnDisk) !== place)
    throw fileError(`${path} led to ${place} when this was permitted, and now it doesn't. Nothing was done.`);
}
