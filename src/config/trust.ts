// Which project folders a person trusts. Trust is for what the person has seen: a key of the project's configuration
// or a command that is new or changed since then doesn't apply before the person says yes again, whoever changed it.
import { relative } from "node:path";
import { sha256 } from "../base/digest.ts";
import type { Environment } from "../base/xdg.ts";
import { projectCommands } from "./custom-commands.ts";
import { type ProjectLocation, projectConfigPath } from "./paths.ts";
import { readConfigFile } from "./read-file.ts";
import type { ConfigFile } from "./schema.ts";
import {
  readTrustList,
  realFolder,
  type SeenPowers,
  type TrustedFolder,
  writeTrustList,
} from "./trust-list.ts";
import { configUnits } from "./untrusted.ts";

/** Trusts the folder with what it brings now. Returns the names of all that. */
export async function trustFolder(
  env: Environment,
  folder: string,
  cwd = folder,
): Promise<readonly string[]> {
  const real = realFolder(folder);
  const powers = await powersOf({ env, root: real, cwd: realFolder(cwd) }, real);
  const list = await readTrustList(env);
  const before = list.find((trusted) => trusted.folder === real)?.seen;
  const others = list.filter((trusted) => trusted.folder !== real);
  await writeTrustList(env, [...others, { folder: real, seen: { ...before, ...powers } }]);
  return Object.keys(powers);
}

/** Returns false if the folder itself was not in the list. */
export async function distrustFolder(env: Environment, folder: string): Promise<boolean> {
  const list = await readTrustList(env);
  const left = list.filter((trusted) => trusted.folder !== realFolder(folder));
  if (left.length < list.length) await writeTrustList(env, left);
  return left.length < list.length;
}

/** For a folder that an older program put in the list: what is there now counts as seen. */
export async function recordFirstSight(place: ProjectLocation, { folder }: TrustedFolder): Promise<void> {
  const seen = await powersOf(place, folder);
  const list = await readTrustList(place.env);
  await writeTrustList(
    place.env,
    list.map((trusted) => (trusted.folder === folder ? { folder, seen } : trusted)),
  );
}

/** Of these keys of a configuration file, those that the person hasn't seen with their present values. */
export function unseenKeys(
  path: string,
  values: ConfigFile,
  keys: readonly string[],
  { folder, seen }: TrustedFolder,
): readonly string[] {
  if (seen === undefined) return [];
  const present = configPowers(path, values, folder);
  const isSeen = (key: string) => {
    const name = keyName(path, key, folder);
    return seen[name] !== undefined && seen[name] === present[name];
  };
  return keys.filter((key) => !isSeen(key));
}

/** The configuration that applies in the working directory, and the project's commands. */
async function powersOf(place: ProjectLocation, folder: string): Promise<SeenPowers> {
  const { root } = place;
  const path = projectConfigPath(place);
  const config = await readConfigFile(path, root);
  const commands = await projectCommands(root);
  return {
    ...configPowers(path, config?.values ?? {}, folder),
    ...Object.fromEntries(commands.map((command) => [relative(folder, command.path), command.digest])),
  };
}

function configPowers(path: string, values: ConfigFile, folder: string): SeenPowers {
  return Object.fromEntries(
    configUnits(values).map(([key, value]) => [keyName(path, key, folder), sha256(JSON.stringify(value))]),
  );
}

function keyName(path: string, key: string, folder: string): string {
  return `${relative(folder, path)}: ${key}`;
}
