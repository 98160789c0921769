// A folder byte for byte and mode for mode, as the proof of undo sees it. It shares no code with what it proves.
import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What is at each path, as a line of text. A path that is not UTF-8 has its bytes as `\xNN`. */
export type DiskPicture = ReadonlyMap<string, string>;

export interface Camera {
  /** Without what git keeps for itself. */
  readonly take: () => DiskPicture;
  /** What git keeps for itself. */
  readonly takeGit: () => DiskPicture;
}

interface Seen {
  readonly stat: BigIntStats;
  readonly atMs: number;
  readonly line: string;
}

/** A file that looks the same is read again only if it was just changed when it was read last: clocks tick slowly. */
const FRESH_MS = 100;

/** remembers: for large folders, files are not read again while the kernel says that nobody changed them. */
export function createCamera(root: string, remembers = false): Camera {
  const memory = new Map<string, Seen>();
  const lineOf = (bytes: Buffer, path: string, stat: BigIntStats): string => {
    const seen = remembers ? memory.get(path) : undefined;
    if (seen !== undefined && isUnchanged(seen, stat)) return seen.line;
    const line = describe(bytes, stat);
    if (remembers) memory.set(path, { stat, atMs: Date.now(), line });
    return line;
  };
  const take = (git: boolean) => {
    const picture = new Map<string, string>();
    const walk = (folder: Buffer, path: string, isGit: boolean): void => {
      for (const name of names(folder)) {
        const inGit = isGit || name.toString() === ".git";
        if (inGit && !git) continue;
        const bytes = Buffer.concat([folder, SLASH, name]);
        const place = path === "" ? readable(name) : `${path}/${readable(name)}`;
        const stat = look(bytes);
        if (stat === undefined) continue;
        if (inGit || !git) picture.set(place, lineOf(bytes, place, stat));
        if (stat.isDirectory()) walk(bytes, place, inGit);
      }
    };
    walk(Buffer.from(root), "", false);
    return picture;
  };
  return { take: () => take(false), takeGit: () => take(true) };
}

export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

export const NOTHING = "nothing";

export function differences(expected: DiskPicture, found: DiskPicture): readonly Difference[] {
  const paths = new Set([...expected.keys(), ...found.keys()]);
  return [...paths].sort().flatMap((path) => {
    const difference = { path, expected: lineAt(expected, path), found: lineAt(found, path) };
    return difference.expected === difference.found ? [] : [difference];
  });
}

export function lineAt(picture: DiskPicture, path: string): string {
  return picture.get(path) ?? NOTHING;
}

const SLASH = Buffer.from("/");

function isUnchanged({ stat, atMs }: Seen, now: BigIntStats): boolean {
  if (atMs - Number(stat.ctimeNs / 1_000_000n) < FRESH_MS) return false;
  return (
    stat.ctimeNs === now.ctimeNs &&
    stat.mtimeNs === now.mtimeNs &&
    stat.ino === now.ino &&
    stat.size === now.size &&
    stat.mode === now.mode
  );
}

function describe(path: Buffer, stat: BigIntStats): string {
  const mode = (Number(stat.mode) & 0o7777).toString(8).padStart(4, "0");
  if (stat.isDirectory()) return `folder ${mode}`;
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path, { encoding: "latin1" })}`;
  return stat.isFile() ? `file ${mode} ${digestOf(path)}` : `special ${mode}`;
}

/** As the store names it. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function digestOf(path: Buffer): string {
  try {
    return sha256Hex(readFileSync(path));
  } catch {
    return "unreadable";
  }
}

function look(path: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function names(folder: Buffer): readonly Buffer[] {
  try {
    return readdirSync(folder, { encoding: "buffer" }).sort(Buffer.compare);
  } catch {
    return [];
  }
}

function readable(name: Buffer): string {
  const text = name.toString();
  if (Buffer.from(text).equals(name)) return text;
  return [...name]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
    .join("");
}
