// Gives the bytes of files back, from our own store or from git's. What git has is asked for all at once.
import { dirname, resolve } from "node:path";
import type { ContentId } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import { formOf, nameBytes } from "./file-bytes.ts";
import { blobSizes, hasPromises, readBlobs } from "./git-blobs.ts";
import { repositoryOf } from "./git-command.ts";

export interface WantedContent {
  /** As in a FileChange: relative to the root, or absolute. It tells which repository has a blob. */
  readonly path: string;
  readonly content: ContentId;
}

export interface FoundContent extends WantedContent {
  /** null: it is gone. */
  readonly bytes: Uint8Array | null;
}

export interface Contents {
  /** Each of these once, one at a time, in any order: those of git's come together. */
  readonly readAll: (wanted: readonly WantedContent[], signal: AbortSignal) => AsyncIterable<FoundContent>;
  readonly read: (wanted: WantedContent, signal: AbortSignal) => Promise<Uint8Array | null>;
  /** Which of these are gone, without reading them. */
  readonly missing: (
    wanted: readonly WantedContent[],
    signal: AbortSignal,
  ) => Promise<ReadonlySet<WantedContent>>;
}

export function createContents(root: string, store: ContentStore): Contents {
  async function* readAll(wanted: readonly WantedContent[], signal: AbortSignal) {
    for (const one of wanted.filter(isOurs)) yield { ...one, bytes: store.read(one.content) };
    for (const [repository, ofRepository] of byRepository(root, wanted)) {
      const waiting = new Map(ofRepository.map((one) => [one.content, [] as WantedContent[]]));
      for (const one of ofRepository) waiting.get(one.content)?.push(one);
      if (repository !== null)
        for await (const { blob, bytes } of readBlobs(repository, [...waiting.keys()].map(hexOf), signal)) {
          const content: ContentId = `git:${blob}`;
          const isRight = nameBytes(bytes, formOf(content)) === content;
          for (const one of waiting.get(content) ?? []) yield { ...one, bytes: isRight ? bytes : null };
          waiting.delete(content);
        }
      for (const one of [...waiting.values()].flat()) yield { ...one, bytes: null };
    }
  }

  return {
    readAll,
    async read(wanted, signal) {
      for await (const { bytes } of readAll([wanted], signal)) return bytes;
      return null;
    },
    async missing(wanted, signal) {
      const missing = new Set(wanted.filter((one) => isOurs(one) && !store.has(one.content)));
      for (const [repository, ofRepository] of byRepository(root, wanted)) {
        const blobs = [...new Set(ofRepository.map(({ content }) => hexOf(content)))];
        const sizes = repository === null ? null : await sizesIn(repository, blobs, signal);
        for (const one of ofRepository) if (sizes?.has(hexOf(one.content)) !== true) missing.add(one);
      }
      return missing;
    },
  };
}

/** A repository that git can't read has nothing. */
async function sizesIn(
  folder: string,
  blobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | null> {
  const isPartial = await hasPromises(folder, signal);
  return await blobSizes({ folder, isPartial }, blobs, signal).catch(() => null);
}

function isOurs({ content }: WantedContent): boolean {
  return content.startsWith("sha256:");
}

function hexOf(content: ContentId): string {
  return content.slice(content.indexOf(":") + 1);
}

/** Those of git's; null: there is no repository any more. */
function byRepository(
  root: string,
  wanted: readonly WantedContent[],
): ReadonlyMap<string | null, readonly WantedContent[]> {
  const known = new Map<string, string | null>();
  const groups = new Map<string | null, WantedContent[]>();
  for (const one of wanted) {
    if (isOurs(one)) continue;
    const folder = dirname(resolve(root, one.path));
    const repository = known.get(folder) ?? repositoryOf(folder);
    known.set(folder, repository);
    const group = groups.get(repository);
    if (group === undefined) groups.set(repository, [one]);
    else group.push(one);
  }
  return groups;
}
