// Several changes of one file as one. Where somebody else changed the file in between, what they did must not be lost
// with the rest: then only the changes before that are joined, which no longer are what is there, so that the file is a
// conflict.

import { sha256 } from "../base/digest.ts";
import { isSameImage } from "../checkpoint/restore-plan.ts";
import type { ContentId, FileChange, FileImage } from "../domain/file-change.ts";
import type { KeptBytes } from "./undo-diff.ts";

export async function joinUnbroken(
  changes: readonly FileChange[],
  kept: KeptBytes,
): Promise<readonly FileChange[]> {
  const joined = new Map<string, FileChange>();
  const broken = new Set<string>();
  for (const change of changes) {
    const { path, before, after } = change;
    const earlier = joined.get(path);
    if (earlier === undefined) joined.set(path, change);
    else if (broken.has(path)) continue;
    else if (await areSame(path, earlier.after, before, kept)) joined.set(path, { ...earlier, after });
    else broken.add(path);
  }
  return [...joined.values()].filter(({ before, after }) => !isSameImage(before, after));
}

/** The same bytes may have two names: git's, and ours from before they were committed. */
async function areSame(path: string, one: FileImage, other: FileImage, kept: KeptBytes): Promise<boolean> {
  // Of what is not covered nobody keeps anything: it breaks nothing.
  if (isSameImage(one, other) || (one.type === "special" && other.type === "special")) return true;
  if (one.type !== "file" || other.type !== "file") return false;
  if (one.size !== other.size || one.mode !== other.mode) return false;
  if (one.content === null || other.content === null) return one.content === other.content;
  if (isGits(one.content) === isGits(other.content)) return false;
  const [theirs, ours] = isGits(one.content) ? [one.content, other.content] : [other.content, one.content];
  const bytes = await kept.read(path, theirs);
  return bytes !== null && `sha256:${sha256(bytes)}` === ours;
}

function isGits(content: ContentId): boolean {
  return content.startsWith("git:");
}
