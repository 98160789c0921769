// Bounds what one decision may look at on the disk and compare with rules, because a command, a tree or a rule may be
// made so that it takes long.
import type { DiskView } from "./disk.ts";

/** Thrown when a decision has looked at too much. */
export class TooMuchToRead extends Error {}

/** Entries of folders and links. They take about 50 ms. */
const MAX_LOOKS = 10_000;
/** Each takes 2 ms, or much longer where somebody made it so. */
const MAX_REPOSITORIES = 8;

/** Characters that are compared, at worst. They take about 50 ms. */
const MAX_STEPS = 4_000_000;

export function createEffort(): (steps: number) => void {
  let spent = 0;
  return (steps) => {
    spent += steps;
    if (spent > MAX_STEPS) throw new TooMuchToRead();
  };
}

/** The same is asked for every word of a long command. */
function remembered<Value>(look: (path: string) => Value): (path: string) => Value {
  const seen = new Map<string, Value>();
  return (path) => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const value = look(path);
    seen.set(path, value);
    return value;
  };
}

/** Putting together and resolving a path takes as long as the path is. */
function costOf(path: string): number {
  return 1 + path.length / 200;
}

export function boundedDisk(disk: DiskView): DiskView {
  let looks = 0;
  let repositories = 0;
  const readLink = remembered(disk.readLink);
  const findProgram = remembered(disk.findProgram);
  const counted = <Value>(value: Value, cost = 1): Value => {
    looks += cost;
    if (looks > MAX_LOOKS) throw new TooMuchToRead();
    return value;
  };
  return {
    readLink: (path) => counted(readLink(path), costOf(path)),
    kindOf: (path) => counted(disk.kindOf(path), costOf(path)),
    findProgram: (name) => counted(findProgram(name)),
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
