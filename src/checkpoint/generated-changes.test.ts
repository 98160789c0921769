// Generated turns: somebody else changes files, then a call does, again and again. What the tracker finds is compared
// with what really changed, byte by byte, by an own look at the disk before and after each.
import { expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Random, seededRandom } from "../../test/support/random.ts";
import { sha256 } from "../base/digest.ts";
import type { FileImage } from "../domain/file-change.ts";
import { DiskChangeTracker } from "./change-tracker.ts";
import { ContentStore, DEFAULT_CAPS } from "./content-store.ts";
import type { ChangeTracker, FoundChanges } from "./tracking.ts";

const PROJECTS = process.env["TUNACODE_LONG"] ? 150 : 3;
const TURNS = 20;
const never = new AbortController().signal;

test(`${PROJECTS * TURNS} generated turns: each change is found, and is its author's`, async () => {
  for (let seed = 1; seed <= PROJECTS; seed++) await play(seed);
}, 600_000);

async function play(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const place = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-generated-")));
  const [root, folder] = [join(place, "project"), join(place, "data/sessions/s.files")];
  mkdirSync(root);
  for (let count = 0; count < 15; count++) change(root, random);
  const store = await ContentStore.open(join(folder, "blobs"), DEFAULT_CAPS, null);
  const project = { root, addedFolders: () => [] };
  const tracker: ChangeTracker = new DiskChangeTracker({
    project,
    store,
    folder,
    notify: (text) => expect(text).toBe(""),
  });
  try {
    tracker.begin();
    await tracker.coverage(never);
    let last = picture(root);
    for (let turn = 0; turn < TURNS; turn++) {
      for (let count = random.below(4); count > 0; count--) change(root, random);
      if (random.below(2) === 0) await new Promise((resolve) => setTimeout(resolve, random.below(8)));
      const before = picture(root);
      const call = { toolCallId: `call ${turn}`, writes: null };
      await tracker.before(call, never);
      for (let count = random.below(5); count > 0; count--) change(root, random);
      tracker.after(call);
      const after = picture(root);
      if (random.below(2) === 0) await tracker.settled(never);
      await tracker.before({ toolCallId: "look", writes: [] }, never);
      tracker.after({ toolCallId: "look", writes: [] });
      const found = tracker.take();
      const at = `seed ${seed}, turn ${turn}`;
      expect({ at, found: shown(found, "other") }).toEqual({ at, found: difference(last, before) });
      expect({ at, found: shown(found, "call") }).toEqual({ at, found: difference(before, after) });
      expectKept(found, store);
      last = after;
    }
  } finally {
    await tracker.close();
    rmSync(place, { recursive: true, force: true });
  }
}

const NAMES = ["a", "b", "c", "a/d", "a/e", "b/f", "b/f/g", "c/h", "a/d/i"];

/** One change of the kind that commands make. Some fail, which is a change like any other. */
function change(root: string, random: Random): void {
  const [path, other] = [join(root, random.pick(NAMES)), join(root, random.pick(NAMES))];
  const text = `${random.below(3)}`.repeat(1 + random.below(3));
  const changes = [
    () => writeFileSync(path, text),
    () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    () => mkdirSync(path, { recursive: true }),
    () => rmSync(path, { recursive: true, force: true }),
    () => renameSync(path, other),
    () => chmodSync(path, random.pick([0o755, 0o700])),
    () => symlinkSync(text, path),
    () => {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path);
      writeFileSync(join(path, "new"), text);
    },
  ];
  try {
    random.pick(changes)();
  } catch {
    // There is no such file, or no such folder.
  }
}

type Picture = ReadonlyMap<string, string>;

function picture(root: string, folder = ""): Map<string, string> {
  const seen = new Map<string, string>();
  for (const name of readdirSync(join(root, folder))) {
    const path = join(folder, name);
    const stat = lstatSync(join(root, path));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) seen.set(path, `link ${readlinkSync(join(root, path))}`);
    else if (stat.isFile()) seen.set(path, `file ${mode} ${sha256(readFileSync(join(root, path)))}`);
    else {
      seen.set(path, `folder ${mode}`);
      for (const [inner, image] of picture(root, path)) seen.set(inner, image);
    }
  }
  return seen;
}

function difference(before: Picture, after: Picture): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path}: ${before.get(path) ?? "absent"} > ${after.get(path) ?? "absent"}`)
    .sort();
}

/** Several changes of one path as one. */
function shown(found: readonly FoundChanges[], by: "call" | "other"): string[] {
  const joined = new Map<string, { before: string; after: string }>();
  for (const { changes } of found.filter((each) => each.by.type === by))
    for (const { path, before, after } of changes)
      joined.set(path, { before: joined.get(path)?.before ?? word(before), after: word(after) });
  return [...joined]
    .filter(([, { before, after }]) => before !== after)
    .map(([path, { before, after }]) => `${path}: ${before} > ${after}`)
    .sort();
}

function word(image: FileImage): string {
  switch (image.type) {
    case "file":
      return `file ${image.mode.toString(8)} ${image.content?.slice("sha256:".length)}`;
    case "link":
      return `link ${image.target}`;
    case "folder":
      return `folder ${image.mode.toString(8)}`;
    default:
      return image.type;
  }
}

/** What a call changed can be put back. */
function expectKept(found: readonly FoundChanges[], store: ContentStore): void {
  for (const { by, changes } of found)
    for (const { path, before } of changes)
      if (by.type === "call" && before.type === "file")
        expect([path, before.content !== null && store.has(before.content)]).toEqual([path, true]);
}
