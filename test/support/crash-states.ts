// The states a disk may be in after a power failure at some point of a log. Names whose folder was not synced may be
// old or new, and bytes that were not synced may be there, missing, torn or zero.
import { dirname } from "node:path";
import { type DiskOperation, MemoryDisk } from "./memory-disk.ts";

type NameOperation = Extract<DiskOperation, { path: string }>;
type Write = Extract<DiskOperation, { type: "write" }>;

export function* crashStates(log: readonly DiskOperation[]): Generator<MemoryDisk> {
  const names = nameStates(log);
  const contents = contentStates(log);
  const [allNames = []] = names;
  const [allContents = new Map()] = contents;
  for (const content of contents) yield build(allNames, content);
  for (const some of names.slice(1)) yield build(some, allContents);
  // Only synced names and bytes.
  const [lastNames, lastContents] = [names.at(-1), contents.at(-1)];
  if (lastNames !== undefined && lastContents !== undefined) yield build(lastNames, lastContents);
}

type Contents = ReadonlyMap<number, Buffer>;

function build(operations: readonly NameOperation[], contents: Contents): MemoryDisk {
  const names = new Map<string, number>();
  for (const operation of operations) {
    switch (operation.type) {
      case "create":
      case "link":
      case "mark":
        names.set(operation.path, operation.inode);
        break;
      case "rename":
        names.delete(operation.path);
        names.set(operation.to, operation.inode);
        break;
      case "remove":
        names.delete(operation.path);
    }
  }
  const disk = new MemoryDisk();
  for (const [path, inode] of names) disk.put(path, contents.get(inode) ?? Buffer.alloc(0));
  return disk;
}

/** The first has all of them, the last only the certain ones. */
function nameStates(log: readonly DiskOperation[]): NameOperation[][] {
  const operations = log.filter((operation): operation is NameOperation => "path" in operation);
  const certain = operations.map((operation, at) =>
    operations.some(
      (sync, later) => later > at && sync.type === "sync-folder" && sync.path === folderOf(operation),
    ),
  );
  const open = operations.flatMap((_, at) => (certain[at] === true ? [] : [at]));
  const without = (left: readonly number[]) => operations.filter((_, at) => !left.includes(at));
  return [
    operations,
    ...open.map((at) => without([at])),
    ...open.map((_, kept) => without(open.slice(kept))).reverse(),
  ];
}

/** The folder of the new name. The old name of a rename may remain as well, which is harmless. */
function folderOf(operation: NameOperation): string {
  return dirname(operation.type === "rename" ? operation.to : operation.path);
}

/** The first has everything that was written, the last only what was synced. */
function contentStates(log: readonly DiskOperation[]): Contents[] {
  const inodes = new Set(log.flatMap((operation) => (operation.type === "write" ? [operation.inode] : [])));
  const whole = new Map([...inodes].map((inode) => [inode, contentOf(writesOf(log, inode).all)] as const));
  const states: Contents[] = [whole];
  const certain = new Map(whole);
  for (const inode of inodes) {
    const { all, synced } = writesOf(log, inode);
    const open = all.slice(synced);
    if (open.length === 0) continue;
    const safe = all.slice(0, synced);
    for (const some of someOf(open)) states.push(new Map(whole).set(inode, contentOf([...safe, ...some])));
    certain.set(inode, contentOf(safe));
  }
  states.push(certain);
  return states;
}

function writesOf(log: readonly DiskOperation[], inode: number): { all: Write[]; synced: number } {
  let all: Write[] = [];
  let synced = 0;
  for (const operation of log) {
    if (!("inode" in operation) || operation.inode !== inode) continue;
    if (operation.type === "write") all.push(operation);
    if (operation.type === "sync") synced = all.length;
    if (operation.type === "truncate") [all, synced] = [[], 0];
  }
  return { all, synced };
}

/** No writes, every prefix, a prefix with its last write torn, and each write missing (a hole of zeros) or zeroed. */
function* someOf(writes: readonly Write[]): Generator<readonly Write[]> {
  for (const [at, write] of writes.entries()) {
    const before = writes.slice(0, at);
    yield before;
    for (const share of [0.01, 0.3, 0.7, 0.99]) yield [...before, cut(write, share)];
    yield writes.toSpliced(at, 1);
    yield writes.with(at, { ...write, bytes: Buffer.alloc(write.bytes.length) });
  }
}

function cut(write: Write, share: number): Write {
  return { ...write, bytes: write.bytes.subarray(0, Math.floor(write.bytes.length * share)) };
}

function contentOf(writes: readonly Write[]): Buffer {
  const size = Math.max(0, ...writes.map(({ offset, bytes }) => offset + bytes.length));
  const content = Buffer.alloc(size);
  for (const { offset, bytes } of writes) content.set(bytes, offset);
  return content;
}
