// The project's files for completion, as ripgrep lists them: without ignored ones, up to a limit.
import { createRipgrepPath, runRipgrep, WALK_FLAGS } from "../tools/ripgrep.ts";

/** More than anyone needs to complete. A tree of millions must not fill the memory. */
const MAX_FILES = 200_000;

const ripgrepPath = createRipgrepPath();

export async function fileIndex(root: string): Promise<string[]> {
  const files: string[] = [];
  await runRipgrep({
    program: await ripgrepPath(),
    args: [...WALK_FLAGS, "--files", "--null"],
    cwd: root,
    signal: new AbortController().signal,
    separator: "\0",
    onRecords: (paths) => {
      for (const path of paths) if (path !== "") files.push(path);
      return files.length >= MAX_FILES ? "stop" : undefined;
    },
  });
  return files.slice(0, MAX_FILES).sort();
}
