// Holds a call to what was permitted: between the yes and the work a link may have come to lead elsewhere.
import { linksOnDisk, realPath } from "../base/real-path.ts";
import type { Grant } from "../domain/grant.ts";
import { fileError } from "./file-problem.ts";

/** `path` is absolute, as in the tool's demands. Throws unless it still leads where it led when it was judged. */
export function requireGranted(path: string, { realPaths }: Grant): void {
  if (realPaths === undefined) return;
  const judged = realPaths.get(path);
  if (judged === undefined) throw fileError(`${path} was not part of what was permitted.`);
  if (realPath(path, linksOnDisk) !== judged)
    throw fileError(`${path} led to ${judged} when it was permitted, but no longer does. Nothing was done.`);
}
