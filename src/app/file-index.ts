// The project's files for completion, as ripgrep lists them: without ignored ones, up to a limit.
import { createRipgrepPath, runRipgrep, WALK_FLAGS } from "../tools/ripgrep.ts";

/** More than anyone needs to complete. A tree of millions must not fill the memory. */
const MAX_FILES = 200_000;
/** An ignore file that is a pipe would keep ripgrep waiting for ever. */
const LONGEST_WALK_MS = 10_000;

const ripgrepPath = createRipgrepPath();

export async function fileIndex(root: string): Promise<string[]> {
  const files: string[] = [];
  const given = AbortSignal.timeout(LONGEST_WALK_MS);
  const walk = runRipgrep({
    program: await ripgrepPath(),
    args: [...WALK_FLAGS, "--files", "--null"],
    cwd: root,
    signal: given,
    separator: "\0",
    onRecords: (paths) => {
      for (const path of paths) if (path !== "") files.push(path);
      return files.length >= MAX_FILES ? "stop" : undefined;
    },
  });
  await walk.catch((error) => {
    // What was found by then can be completed.
    if (!given.aborted) throw error;
  });
  return files.slice(0, MAX_FILES).sort();
}
