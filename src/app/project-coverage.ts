// What undo would not bring back in a project, told without a session: nothing is read but names, sizes and what git has.
import { join } from "node:path";
import type { Environment } from "../base/xdg.ts";
import { ContentStore, DEFAULT_CAPS } from "../checkpoint/content-store.ts";
import type { UndoSettings } from "../checkpoint/settings.ts";
import type { Coverage } from "../checkpoint/tracking.ts";
import { TreeIndex } from "../checkpoint/tree-index.ts";
import { sessionFolder } from "../session/paths.ts";

interface CoveredProject {
  /** A real path. */
  readonly root: string;
  readonly env: Environment;
  readonly undo: UndoSettings;
}

/** null: undo is switched off. */
export async function projectCoverage(
  { root, env, undo }: CoveredProject,
  signal: AbortSignal,
): Promise<Coverage | null> {
  const { enabled = true, ...caps } = undo;
  if (!enabled) return null;
  // Of a session that doesn't exist, so it is empty.
  const folder = join(sessionFolder(env), "none.files", "blobs");
  const store = await ContentStore.open(folder, { ...DEFAULT_CAPS, ...caps }, null);
  const index = new TreeIndex({ root, addedFolders: () => [] }, store);
  await index.build(signal);
  await index.foresee(signal);
  return index.coverage();
}
