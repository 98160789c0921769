// Where configuration is kept: the person's file and folder, and the project's.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { configHome, type Environment } from "../base/xdg.ts";

const PROJECT_FILE = ".tunacode.json";

/** Where one is, and the project it belongs to. */
export interface ProjectLocation {
  readonly env: Environment;
  readonly cwd: string;
  /** The project's top folder: cwd or above it. */
  readonly root: string;
}

export function personalConfigPath(env: Environment): string {
  return join(configHome(env), "tunacode.json");
}

/** Custom commands, AGENTS.md and the list of trusted folders. */
export function personalFolder(env: Environment): string {
  return join(configHome(env), "tunacode");
}

/** The nearest from the working directory up to the project's top; where there is none, where it would be. */
export function projectConfigPath({ cwd, root }: ProjectLocation): string {
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    if (existsSync(path)) return path;
  }
  return join(root, PROJECT_FILE);
}
