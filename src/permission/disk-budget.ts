// Bounds what one decision may look at on the disk, because a command or a tree may be made so that looking takes long.
import type { DiskView } from "./disk.ts";

/** Thrown when a decision has looked at too much. */
export class TooMuchToRead extends Error {}

/** Entries of folders and links. They take about 50 ms. */
const MAX_LOOKS = 10_000;
/** Each takes 2 ms, or much longer where somebody made it so. */
const MAX_REPOSITORIES = 8;

export function boundedDisk(disk: DiskView): DiskView {
  let looks = 0;
  let repositories = 0;
  const counted = <Value>(value: Value, cost = 1): Value => {
    looks += cost;
    if (looks > MAX_LOOKS) throw new TooMuchToRead();
    return value;
  };
  return {
    readLink: (path) => counted(disk.readLink(path)),
    kindOf: (path) => counted(disk.kindOf(path)),
    findProgram: (name) => counted(disk.findProgram(name)),
    listFolder: (path) => {
      const entries = disk.listFolder(path);
      return counted(entries, 1 + (entries?.length ?? 0));
    },
    gitPlaces: disk.gitPlaces,
    gitConfiguration: (folder) => {
      const listing = ++repositories > MAX_REPOSITORIES ? null : disk.gitConfiguration(folder);
      // One that took too long is enough.
      if (listing === null) repositories = MAX_REPOSITORIES;
      return listing;
    },
  };
}
