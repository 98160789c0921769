// The built program as a user gets it: a copy of dist/tunacode alone in an empty folder, with no node_modules above.
import { spawnSync } from "node:child_process";
import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY, buildIfStale } from "../../scripts/build.ts";

export interface CopiedBinary {
  readonly path: string;
  /** An empty folder to run in. */
  readonly folder: string;
  readonly run: (args: readonly string[], environment?: Record<string, string>) => Ended;
  readonly remove: () => void;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Longer than any command without a model takes on a busy machine. */
const DEADLINE_MS = 30_000;

export async function copyBinary(): Promise<CopiedBinary> {
  await buildIfStale();
  const home = mkdtempSync(join(tmpdir(), "tunacode-binary-"));
  const path = join(home, "tunacode");
  const folder = join(home, "work");
  copyFileSync(BINARY, path, constants.COPYFILE_FICLONE);
  mkdirSync(folder);
  return {
    path,
    folder,
    run: (args, environment = {}) => {
      const { status, stdout, stderr } = spawnSync(path, args, {
        cwd: folder,
        // The machine's keys, configuration and PATH are left out.
        env: { HOME: home, ...environment },
        encoding: "utf8",
        input: "",
        timeout: DEADLINE_MS,
      });
      return { code: status, stdout, stderr };
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
