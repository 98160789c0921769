// Where configuration is stored: the person's file and folder, and the project's file.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { configHome, type Environment } from "../base/xdg.ts";

const PROJECT_FILE = ".tunacode.json";

/** The working directory and the project it belongs to. */
export interface ProjectLocation {
  readonly env: Environment;
  readonly cwd: string;
  /** The project's top folder: the working directory or one of its parents. */
  readonly root: string;
  /** Of a worktree that this program made: what the person trusted and allowed in the main tree counts here too. */
  readonly mainTree?: string;
}

export function personalConfigPath(env: Environment): string {
  return join(configHome(env), "tunacode.json");
}

/** Contains custom commands, AGENTS.md and the list of trusted folders. */
export function personalFolder(env: Environment): string {
  return join(configHome(env), "tunacode");
}

/** The nearest file between the working directory and the project's top. The path at the top is the fallback. */
export function projectConfigPath({ cwd, root }: ProjectLocation): string {
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    if (existsSync(path)) return path;
  }
  return join(root, PROJECT_FILE);
}
