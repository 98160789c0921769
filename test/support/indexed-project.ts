// A project on disk with a store and an index of its own, for tests of what undo knows of files.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ContentStore, DEFAULT_CAPS, type StoreCaps } from "../../src/checkpoint/content-store.ts";
import { TreeIndex } from "../../src/checkpoint/tree-index.ts";
import type { FileChange, FileImage } from "../../src/domain/file-change.ts";

export interface IndexedProject extends AsyncDisposable {
  readonly root: string;
  readonly store: ContentStore;
  readonly index: TreeIndex;
  readonly path: (name: string) => string;
  /** Runs a shell script in the project; throws if it fails. */
  readonly run: (script: string) => string;
  /** The first look, and everything kept. */
  readonly begin: () => Promise<void>;
  /** What a script changed, as `path: before -> after`, sorted. */
  readonly changes: (script: string) => Promise<readonly string[]>;
}

export const NEVER = new AbortController().signal;

export async function indexedProject(script = "", caps: Partial<StoreCaps> = {}): Promise<IndexedProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "indexed-")));
  const root = join(folder, "project");
  mkdirSync(root);
  const run = (command: string) => runIn(root, command);
  run(script);
  const blobs = join(folder, "data/tunacode/sessions/one.files/blobs");
  const store = await ContentStore.open(blobs, { ...DEFAULT_CAPS, ...caps }, null);
  const index = new TreeIndex({ root, addedFolders: () => [] }, store);
  return {
    root,
    store,
    index,
    run,
    path: (name) => join(root, name),
    async begin() {
      await index.build(NEVER);
      await index.keep(NEVER);
    },
    async changes(command) {
      run(command);
      return (await index.refresh(NEVER)).map(shown).toSorted();
    },
    [Symbol.asyncDispose]: async () => rmSync(dirname(root), { recursive: true, force: true }),
  };
}

export function runIn(folder: string, script: string): string {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-ec", script], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...GIT_ENVIRONMENT },
  });
  if (status !== 0) throw new Error(`${script}\n${stderr}`);
  return stdout;
}

const GIT_ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

/** Which kind of content, and not which bytes. */
export function shown({ path, before, after }: FileChange): string {
  return `${path}: ${shownImage(before)} -> ${shownImage(after)}`;
}

function shownImage(image: FileImage): string {
  switch (image.type) {
    case "file":
      return `${image.content?.split(":")[0] ?? "unknown"} ${image.size}`;
    case "link":
      return `link to ${image.target}`;
    case "folder":
      return `folder ${image.mode.toString(8)}`;
    default:
      return image.type;
  }
}
