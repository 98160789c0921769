// What is at a path now, by its bytes and never by its times.
import { ABSENT, type ContentId, type FileImage } from "../domain/file-change.ts";
import { formOf, nameBytes, nameFile, readSmallFile } from "./file-bytes.ts";
import { lookOf } from "./file-look.ts";
import { isBlocked, isMissing, type OpenFolder, openFolder, projectPlaceOf } from "./open-folder.ts";
import { type RestoreCalls, statAt } from "./restore-calls.ts";
import { type Presence, parentsOf } from "./restore-plan.ts";
import type { ProjectFiles } from "./tracking.ts";

export interface Looking {
  readonly calls: RestoreCalls;
  readonly files: ProjectFiles;
  /** A file of this size may be kept, so it is worth while to name its bytes. */
  readonly fits: (size: number) => boolean;
}

const NOTHING: Presence = { image: ABSENT, ids: [], blockedBy: null, names: [], look: null };

/** `wanted` are what it is going to be compared with. */
export async function presenceAt(
  looking: Looking,
  path: string,
  wanted: readonly FileImage[],
): Promise<Presence> {
  const place = projectPlaceOf(looking.files, path);
  if (place === null) return { ...NOTHING, blockedBy: path };
  let folder: OpenFolder | undefined;
  try {
    folder = openFolder(looking.calls, place.folder);
    return await presenceIn(looking, folder, place.name, wanted);
  } catch (error) {
    if (isMissing(error)) return NOTHING;
    // A folder that nobody may look into is in the way as much as a file.
    return { ...NOTHING, blockedBy: isBlocked(error) ? blockingParent(looking, path) : path };
  } finally {
    folder?.close();
  }
}

export async function presenceIn(
  { calls, fits }: Pick<Looking, "calls" | "fits">,
  folder: OpenFolder,
  name: string,
  wanted: readonly FileImage[],
): Promise<Presence> {
  const place = folder.at(name);
  const stat = calls.lstatSync(place, { throwIfNoEntry: false });
  if (stat === undefined) return NOTHING;
  const mode = stat.mode & 0o7777;
  const look = lookOf(stat);
  if (stat.isSymbolicLink())
    return { ...NOTHING, image: { type: "link", target: calls.readlinkSync(place) }, look };
  if (stat.isDirectory())
    return { ...NOTHING, image: { type: "folder", mode }, names: namesIn(calls, place) };
  if (!stat.isFile()) return { ...NOTHING, image: { type: "special" } };
  const ids = await idsOf(place, stat.size, wanted, fits);
  const asked = contentsOf(wanted).find((content) => ids.includes(content));
  const content = asked ?? ids[0] ?? null;
  return { ...NOTHING, image: { type: "file", content, mode, size: stat.size }, ids, look };
}

/** Read once, whatever the number of its names. */
const SMALL_BYTES = 1024 * 1024;

/** Our own name for its bytes first, then the names that were asked for. */
async function idsOf(
  place: string,
  size: number,
  wanted: readonly FileImage[],
  fits: (size: number) => boolean,
): Promise<readonly ContentId[]> {
  const likely = wanted.filter((image) => image.type === "file" && image.size === size);
  if (likely.length === 0 && !fits(size)) return [];
  const forms = new Set(["sha256" as const, ...contentsOf(likely).map(formOf)]);
  const small = size <= SMALL_BYTES ? readSmallFile(place, size) : null;
  if (small?.type === "read" && small.bytes.length === size)
    return [...forms].map((form) => nameBytes(small.bytes, form));
  const named = [];
  for (const form of forms) named.push(await nameFile(place, form, size));
  return named.flatMap((file) => file?.content ?? []);
}

function contentsOf(images: readonly FileImage[]): readonly ContentId[] {
  return images.flatMap((image) => (image.type === "file" ? (image.content ?? []) : []));
}

function namesIn(calls: RestoreCalls, folder: string): readonly string[] {
  try {
    return calls.readdirSync(folder);
  } catch {
    // Nobody may read it, or it is gone: removing it will tell.
    return [];
  }
}

/** The outermost parent that is no folder. */
function blockingParent({ calls, files }: Looking, path: string): string {
  for (const parent of parentsOf(path)) {
    const place = projectPlaceOf(files, parent);
    if (place === null) continue;
    const stat = statAt(calls, `${place.folder}/${place.name}`);
    if (stat !== undefined && !stat.isDirectory()) return parent;
  }
  return path;
}
