// A project on disk with all that a restorer needs, for tests.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ContentStore, DEFAULT_CAPS, type StoreCaps } from "../../src/checkpoint/content-store.ts";
import { createContents } from "../../src/checkpoint/contents.ts";
import type { RestoreCalls } from "../../src/checkpoint/restore-calls.ts";
import type { RestorePlan } from "../../src/checkpoint/restore-plan.ts";
import { createRestorer } from "../../src/checkpoint/restorer.ts";
import type { RestoreResult, Restorer } from "../../src/checkpoint/restoring.ts";
import type { FileChange } from "../../src/domain/file-change.ts";
import { changesBetween, pictureOf } from "./changed-tree.ts";

export interface RestoreLab {
  /** Holds the project, the store and the intents. */
  readonly folder: string;
  readonly root: string;
  readonly intents: string;
  readonly store: ContentStore;
  readonly restorer: Restorer;
  /** Keeps what is in the project now, as the tracker would. */
  readonly keepAll: () => Promise<void>;
}

export function newLabFolder(): string {
  return fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "restore-")));
}

export async function openLab(
  folder: string,
  { calls, caps = DEFAULT_CAPS }: { readonly calls?: RestoreCalls; readonly caps?: StoreCaps } = {},
): Promise<RestoreLab> {
  const root = join(folder, "project");
  const intents = join(folder, "restores");
  fs.mkdirSync(root, { recursive: true });
  const store = await ContentStore.open(join(folder, "blobs"), caps, null);
  const restorer = createRestorer({
    files: { root, addedFolders: () => [] },
    store,
    contents: createContents(root, store),
    intents: { folder: intents, projectId: "project", sessionId: "session" },
    ...(calls === undefined ? {} : { calls }),
  });
  const keepAll = async () => {
    for (const [path, { type }] of pictureOf(root))
      if (type === "file") await store.putFile(join(root, path));
  };
  return { folder, root, intents, store, restorer, keepAll };
}

/** What a run did, from one notation to another: `path=text`, `path/`, `path->target`, and after a space the mode. */
export async function changed(
  lab: RestoreLab,
  before: string,
  after: string,
): Promise<readonly FileChange[]> {
  write(lab.root, before);
  const was = pictureOf(lab.root);
  await lab.keepAll();
  write(lab.root, after);
  return changesBetween(was, pictureOf(lab.root));
}

export function write(root: string, notation: string): void {
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(root);
  for (const line of notation.split("; ").filter((each) => each !== "")) {
    const [, path = "", kind, value = "", mode] = /^(.+?)(=|->|\/$)(\S*)(?: (\d+))?$/.exec(line) ?? [];
    const place = join(root, path);
    fs.mkdirSync(dirname(place), { recursive: true });
    if (kind === "=") fs.writeFileSync(place, value);
    else if (kind === "->") fs.symlinkSync(value, place);
    else fs.mkdirSync(place, { recursive: true });
    if (mode !== undefined) fs.chmodSync(place, Number.parseInt(mode, 8));
  }
}

export function whys({ conflicts }: Pick<RestorePlan, "conflicts">): readonly string[] {
  return conflicts.map(({ path, why }) => `${path}: ${why}`).sort();
}

export function text({ root }: RestoreLab, path: string): string | null {
  return fs.existsSync(join(root, path)) ? fs.readFileSync(join(root, path), "utf8") : null;
}

export async function undo(
  { restorer }: RestoreLab,
  changes: readonly FileChange[],
  overwrite: readonly string[] = [],
): Promise<RestoreResult> {
  return await restorer.carryOut(await restorer.plan(changes), "restore_unit", new Set(overwrite));
}
