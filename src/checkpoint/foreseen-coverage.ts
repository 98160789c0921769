// What undo would not bring back of a project in which nothing runs. Nothing is read, and nothing is kept.
import type { ContentStore } from "./content-store.ts";
import type { Coverage, ProjectFiles } from "./tracking.ts";
import { TreeIndex } from "./tree-index.ts";

/** `store` may be one that has never been used; then its folder is not created. */
export async function foreseeCoverage(
  project: ProjectFiles,
  store: ContentStore,
  signal: AbortSignal,
): Promise<Coverage> {
  const index = new TreeIndex(project, store);
  await index.build(signal);
  await index.foresee(signal);
  return index.coverage();
}
