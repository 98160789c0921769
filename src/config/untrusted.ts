// What the configuration of a project counts for while its folder isn't trusted: it may tighten settings and name an
// instruction file inside the project. Everything else is withheld, also keys that the schema gets later.
import { isAbsolute } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { DEFAULT_MAX_ITERATIONS } from "../domain/limits.ts";
import type { PermissionMode } from "../domain/permission.ts";
import type { ConfigFile } from "./schema.ts";

interface Restricted {
  readonly values: ConfigFile;
  /** Keys that are ignored until the folder is trusted. */
  readonly withheld: readonly string[];
}

type Counts = (value: JsonValue, person: ConfigFile) => boolean;

/** Both lists go from strict to loose. */
const MODES: readonly PermissionMode[] = ["read-only", "ask", "auto-edit", "yolo"];
const SANDBOXES: readonly ConfigFile["sandbox"][] = ["on", "auto", "off"];
/** So many can be matched in a moment, whatever they look like. */
const MOST_RULE_CHARACTERS = 4_000;

const always: Counts = () => true;
const COUNTED: Readonly<Record<string, Counts>> = {
  $schema: always,
  sandbox: (value, { sandbox = "auto" }) => isStricter(SANDBOXES, value, sandbox),
  "permissions.mode": (value, { permissions }) => isStricterMode(value, permissions?.mode ?? "ask"),
  "permissions.ask": isShort,
  "permissions.deny": isShort,
  "settings.guide_file": (value) => typeof value === "string" && isInside(value),
  "settings.max_iterations": (value, { settings }) =>
    isLower(value, settings?.max_iterations ?? DEFAULT_MAX_ITERATIONS),
  "settings.max_tool_calls": (value, { settings }) =>
    isLower(value, settings?.max_tool_calls ?? Number.POSITIVE_INFINITY),
};

/**
 * Allow rules are kept although they don't apply yet. Matching skips them by their source, so that a question can
 * mention a rule that would have allowed the call.
 */
export function restrictUntrusted(project: ConfigFile, person: ConfigFile): Restricted {
  const units = configUnits(project);
  const counts = ([key, value]: ConfigUnit) =>
    Object.hasOwn(COUNTED, key) && COUNTED[key]?.(value, person) === true;
  const kept = units.filter((unit) => counts(unit) || unit[0] === "permissions.allow");
  return {
    values: kept.reduce(withUnit, {}),
    withheld: units.filter((unit) => !counts(unit)).map(([key]) => key),
  };
}

/** A key as it is withheld or counted, whole: `env`, `permissions.mode`. */
type ConfigUnit = readonly [key: string, value: JsonValue];

export function configUnits(values: ConfigFile): readonly ConfigUnit[] {
  return Object.entries(values as JsonObject).flatMap(([name, value]): ConfigUnit[] => {
    const hasParts = Object.keys(COUNTED).some((key) => key.startsWith(`${name}.`));
    if (!hasParts || !isJsonObject(value)) return [[name, value]];
    return Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner]);
  });
}

function withUnit(values: ConfigFile, [key, value]: ConfigUnit): ConfigFile {
  const [name = "", part] = key.split(".");
  // The casts are safe: each value comes from a checked file and returns to its place.
  const all = values as JsonObject;
  const inner = all[name];
  const placed = part === undefined ? value : { ...(isJsonObject(inner) ? inner : {}), [part]: value };
  return { ...all, [name]: placed } as ConfigFile;
}

/** Only the person can switch on auto. It allows other things than auto-edit, and asks no more than ask. */
function isStricterMode(mode: JsonValue, than: PermissionMode): boolean {
  if (mode === "auto") return than === "auto";
  return isStricter(MODES, mode, than === "auto" ? "ask" : than);
}

function isStricter<Value>(scale: readonly Value[], value: JsonValue, than: Value): boolean {
  const place = scale.findIndex((each) => Object.is(each, value));
  return place >= 0 && place <= scale.indexOf(than);
}

function isLower(value: JsonValue, than: number): boolean {
  return typeof value === "number" && value <= than;
}

function isShort(value: JsonValue): boolean {
  return JSON.stringify(value).length <= MOST_RULE_CHARACTERS;
}

/** A file outside the project would be sent to the model without asking. */
function isInside(file: string): boolean {
  return !isAbsolute(file) && !file.startsWith("~") && !file.split(/[\\/]/).includes("..");
}
