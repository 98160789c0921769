// Which project folders a person trusts. Trust is for what the person has seen: a key of the project's configuration
// or a command that is new or changed since then doesn't apply before the person says yes again, whoever changed it.
import { relative } from "node:path";
import { sha256 } from "../base/digest.ts";
import type { JsonValue } from "../base/json.ts";
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

/** Something that a project brings, as a person is shown it. */
export interface BroughtPower {
  readonly file: string;
  /** The key of a configuration file; null for a command. */
  readonly key: string | null;
  /** Of a command, its first line. */
  readonly value: JsonValue;
}

interface Power extends BroughtPower {
  /** By which it is found again. */
  readonly name: string;
  readonly digest: string;
}

/** Trusts the folder with what it brings now. Returns all that. */
export async function trustFolder(
  env: Environment,
  folder: string,
  cwd = folder,
): Promise<readonly BroughtPower[]> {
  const real = realFolder(folder);
  const powers = await powersOf({ env, root: real, cwd: realFolder(cwd) }, real);
  const list = await readTrustList(env);
  const before = list.find((trusted) => trusted.folder === real)?.seen;
  const others = list.filter((trusted) => trusted.folder !== real);
  await writeTrustList(env, [...others, { folder: real, seen: { ...before, ...seenOf(powers) } }]);
  return powers;
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
  const seen = seenOf(await powersOf(place, folder));
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
  const present = seenOf(configPowers(path, values, folder));
  const isSeen = (key: string) => {
    const name = keyName(path, key, folder);
    return seen[name] !== undefined && seen[name] === present[name];
  };
  return keys.filter((key) => !isSeen(key));
}

/** The configuration that applies in the working directory, and the project's commands. */
async function powersOf(place: ProjectLocation, folder: string): Promise<readonly Power[]> {
  const { root } = place;
  const path = projectConfigPath(place);
  const config = await readConfigFile(path, root);
  const commands = await projectCommands(root);
  return [
    ...configPowers(path, config?.values ?? {}, folder),
    ...commands.map(({ path: file, digest, template }) => {
      const name = relative(folder, file);
      return { file: name, key: null, value: template.trim().split("\n")[0] ?? "", name, digest };
    }),
  ];
}

function configPowers(path: string, values: ConfigFile, folder: string): readonly Power[] {
  return configUnits(values).map(([key, value]) => ({
    file: relative(folder, path),
    key,
    value,
    name: keyName(path, key, folder),
    digest: sha256(JSON.stringify(value)),
  }));
}

function seenOf(powers: readonly Power[]): SeenPowers {
  return Object.fromEntries(powers.map(({ name, digest }) => [name, digest]));
}

function keyName(path: string, key: string, folder: string): string {
  return `${relative(folder, path)}: ${key}`;
}
