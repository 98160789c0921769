// A project on disk with all that a restorer needs, for tests.
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContentStore, DEFAULT_CAPS, type StoreCaps } from "../../src/checkpoint/content-store.ts";
import { createContents } from "../../src/checkpoint/contents.ts";
import type { RestoreCalls } from "../../src/checkpoint/restore-calls.ts";
import { createRestorer } from "../../src/checkpoint/restorer.ts";
import type { Restorer } from "../../src/checkpoint/restoring.ts";
import { pictureOf } from "./changed-tree.ts";

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
  return realpathSync(mkdtempSync(join(tmpdir(), "restore-")));
}

export async function openLab(
  folder: string,
  { calls, caps = DEFAULT_CAPS }: { readonly calls?: RestoreCalls; readonly caps?: StoreCaps } = {},
): Promise<RestoreLab> {
  const root = join(folder, "project");
  const intents = join(folder, "restores");
  mkdirSync(root, { recursive: true });
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
