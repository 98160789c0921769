// Checks what a file holds against the schema. A wrong value is an error; an unknown key is left out with a
// warning that names the nearest known one.
import type { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { nearestName } from "../base/nearest-name.ts";
import { ConfigError } from "../domain/error.ts";
import { OLD_KEYS } from "./old-keys.ts";
import { type ConfigFile, configJsonSchema, configSchema } from "./schema.ts";

interface CheckedValues {
  readonly values: ConfigFile;
  readonly warnings: readonly string[];
}

/** A file of thousands of wrong keys is not worth a warning for each. */
const MOST_TOLD = 20;
const LONGEST_KEY = 100;

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export function checkValues(file: string, given: JsonObject): CheckedValues {
  const checked = configSchema.safeParse(given);
  if (!checked.success) {
    const problems = checked.error.issues
      .slice(0, MOST_TOLD)
      .map((issue) => `${dotted(issue.path)} ${describeIssue(issue)}`);
    throw new ConfigError(`${file}: ${problems.join("; ")}`);
  }
  const unknown = leftOut(given, checked.data as JsonObject);
  const strange = unknown.filter((path) => !isOld(path));
  const more = strange.length - MOST_TOLD;
  return {
    values: checked.data,
    warnings: [
      ...strange.slice(0, MOST_TOLD).map((path) => unknownKey(file, path)),
      ...(more > 0 ? [`${file}: ${more} more keys are not known and have no effect.`] : []),
      ...oldKeys(file, [...unknown.filter(isOld), ...withoutEffect(checked.data)]),
    ],
  };
}

function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`;
    case "invalid_union":
      return "has the wrong form";
    default:
      return "can't be used";
  }
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  if (type === "record") return "an object";
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function unknownKey(file: string, path: Path): string {
  const nearest = nearestName(String(path.at(-1)).slice(0, LONGEST_KEY), knownKeys(path.slice(0, -1)));
  const meant = nearest === undefined ? "" : ` Was ${dotted([...path.slice(0, -1), nearest])} meant?`;
  return `${file}: ${dotted(path)} is not a known key and has no effect.${meant}`;
}

function isOld(path: Path): boolean {
  return OLD_KEYS.has(dotted(path));
}

/** In the schema, so that their values are checked, but without effect. */
function withoutEffect({ settings }: ConfigFile): Path[] {
  return [
    ...(settings?.ripgrep === undefined ? [] : [["settings", "ripgrep"]]),
    ...(settings?.tool_strict_validation === false ? [["settings", "tool_strict_validation"]] : []),
  ];
}

function oldKeys(file: string, paths: readonly Path[]): string[] {
  if (paths.length === 0) return [];
  const told = paths.map(dotted).map((key) => `${key} (${OLD_KEYS.get(key)})`);
  return [`${file}: keys of the old program without effect: ${told.join("; ")}`];
}

/** The keys allowed at a path, read from the published schema. */
function knownKeys(path: Path): string[] {
  let places: JsonObject[] = [configJsonSchema() as JsonObject];
  for (const segment of path) places = places.flatMap((place) => below(place, segment));
  return places.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : []));
}

function below(place: JsonObject, segment: PropertyKey): JsonObject[] {
  const { properties, additionalProperties, items } = place;
  const named = isJsonObject(properties) ? properties[String(segment)] : undefined;
  return [named ?? additionalProperties ?? items]
    .flatMap((child) => (isJsonObject(child) && Array.isArray(child["anyOf"]) ? child["anyOf"] : [child]))
    .filter(isJsonObject);
}

/** The paths of all keys that the schema doesn't know. */
function leftOut(given: Container, kept: Container, path: Path = []): Path[] {
  return Object.entries(given).flatMap(([key, child]) => {
    const known: JsonValue | undefined = Object.getOwnPropertyDescriptor(kept, key)?.value;
    if (known === undefined) return [[...path, key]];
    return isContainer(child) && isContainer(known) ? leftOut(child, known, [...path, key]) : [];
  });
}

type Container = JsonObject | readonly JsonValue[];

function isContainer(value: JsonValue): value is Container {
  return typeof value === "object" && value !== null;
}

function dotted(path: Path): string {
  return path.map((key) => String(key).slice(0, LONGEST_KEY)).join(".") || "the file";
}
