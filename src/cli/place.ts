// Where a command works: the folder, its project, and the configuration that holds there.
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import type { Place } from "../config/paths.ts";
import { TunacodeError } from "../domain/error.ts";
import { projectRoot } from "../session/project.ts";

export interface ConfiguredPlace extends Place {
  readonly loaded: LoadedConfig;
  /** The environment, and under it the configuration's `env`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export function findPlace(env: NodeJS.ProcessEnv, asked: string | undefined): Place {
  const cwd = asked === undefined ? currentFolder() : askedFolder(asked);
  return { env, cwd, root: projectRoot(cwd) };
}

export async function configuredPlace(
  env: NodeJS.ProcessEnv,
  asked: string | undefined,
): Promise<ConfiguredPlace> {
  const place = findPlace(env, asked);
  const loaded = await loadConfig(place);
  // An empty variable is one that isn't set.
  const given = Object.entries(env).filter(([, value]) => value !== "");
  return { ...place, loaded, variables: { ...loaded.config.env, ...Object.fromEntries(given) } };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new TunacodeError(
      "usage",
      "The folder you are in was deleted. Go to one that exists, or name one with --cwd.",
    );
  }
}

function askedFolder(asked: string): string {
  const from = asked.startsWith("/") ? "/" : currentFolder();
  const path = resolve(from, asked);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TunacodeError("usage", `--cwd: there is no folder ${path}.`);
  return realpathSync(path);
}
