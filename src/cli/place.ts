// Where a command works: the folder, its project, and the configuration in effect there.
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { defined } from "../base/defined.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import type { ProjectLocation } from "../config/paths.ts";
import { TunacodeError } from "../domain/error.ts";
import { recoveredRemarks } from "../permission/sandbox-recovery.ts";
import { madeFrom, projectRoot } from "../session/project.ts";
import type { Console } from "./console.ts";

export interface ConfiguredPlace extends ProjectLocation {
  /** Where the command was typed. */
  readonly typedIn: string;
  readonly loaded: LoadedConfig;
  /** The environment, with the configuration's `env` as fallback. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export function findPlace(console: Console, asked: string | undefined): ProjectLocation {
  const cwd = asked === undefined ? console.cwd() : askedFolder(asked, console);
  const root = projectRoot(cwd);
  return { env: console.env, cwd, root, ...defined({ mainTree: madeFrom(console.env, root) }) };
}

export async function configuredPlace(console: Console, asked: string | undefined): Promise<ConfiguredPlace> {
  const place = findPlace(console, asked);
  // A command may have made a configuration of ours when it was cut off.
  const leftOver = await recoveredRemarks(place.env);
  const found = await loadConfig(place);
  const loaded = { ...found, warnings: [...leftOver, ...found.warnings] };
  // An empty variable is treated as unset.
  const given = Object.entries(console.env).filter(([, value]) => value !== "");
  const typedIn = console.cwd();
  return { ...place, typedIn, loaded, variables: { ...loaded.config.env, ...Object.fromEntries(given) } };
}

function askedFolder(asked: string, console: Console): string {
  const path = resolve(console.cwd(), asked);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TunacodeError("usage", `--cwd: there is no folder ${path}.`);
  return realpathSync(path);
}
