// Loads the configuration that applies in a folder: defaults, then the person's file, then the project's.
import { DEFAULT_LAYER, type Layer } from "./layers.ts";
import { type ProjectLocation, personalConfigPath, projectConfigPath } from "./paths.ts";
import { readConfigFile } from "./read-file.ts";
import { type Config, resolveConfig } from "./resolve.ts";
import { recordFirstSight, unseenKeys } from "./trust.ts";
import { trustAt } from "./trust-list.ts";
import { restrictUntrusted } from "./untrusted.ts";

export interface LoadedConfig {
  readonly config: Config;
  /** Later layers override earlier ones. */
  readonly layers: readonly Layer[];
  /** Sentences for the person about unknown keys, old keys, and keys that an untrusted project may not set. */
  readonly warnings: readonly string[];
  /** Keys of the project's file that are ignored until the person trusts its folder. */
  readonly withheld: readonly string[];
}

export async function loadConfig(place: ProjectLocation): Promise<LoadedConfig> {
  const personalPath = personalConfigPath(place.env);
  const projectPath = projectConfigPath(place);
  const trust = await trustAt(place);
  const person = await readConfigFile(personalPath);
  // The two paths are the same if the person's configuration folder is the project's folder.
  const project = projectPath === personalPath ? null : await readConfigFile(projectPath, place.root);
  const given = project?.values ?? {};
  const restricted = restrictUntrusted(given, person?.values ?? {});
  const changed = trust === null ? [] : unseenKeys(projectPath, given, restricted.withheld, trust);
  const trusted = trust !== null && changed.length === 0;
  // A list that can't be written keeps nobody from working.
  if (trust !== null && trust.seen === undefined) await recordFirstSight(place, trust).catch(() => {});
  const { values, withheld } = trusted ? { values: given, withheld: [] } : restricted;
  const layers: Layer[] = [
    DEFAULT_LAYER,
    ...(person === null ? [] : [{ source: "person" as const, path: personalPath, values: person.values }]),
    ...(project === null ? [] : [{ source: "project" as const, path: projectPath, values }]),
  ];
  return {
    config: resolveConfig(layers, trusted),
    layers,
    warnings: [
      ...(person?.warnings ?? []),
      ...(project?.warnings ?? []),
      ...(changed.length > 0
        ? [changedWarning(projectPath, changed)]
        : untrustedWarning(projectPath, withheld)),
    ],
    withheld,
  };
}

function untrustedWarning(path: string, withheld: readonly string[]): string[] {
  if (withheld.length === 0) return [];
  const verb = withheld.length > 1 ? "are" : "is";
  return [
    `${path}: ${withheld.join(", ")} ${verb} ignored until you trust this folder. Read the file, and if you trust it: tunacode config trust`,
  ];
}

function changedWarning(path: string, changed: readonly string[]): string {
  const verb = changed.length > 1 ? "are" : "is";
  return `${path}: ${changed.join(", ")} ${verb} not as when you trusted this folder, so the folder counts as not trusted. If the change is right: tunacode config trust`;
}
