// `tunacode config` shows the settings in effect and where each comes from, and trusts this project's own file or not.
import { homedir } from "node:os";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { exactLine } from "../base/visible-text.ts";
import type { Layer } from "../config/layers.ts";
import { personalConfigPath, projectConfigPath } from "../config/paths.ts";
import { rememberedRules } from "../config/remembered-rules.ts";
import { type BroughtPower, distrustFolder, trustFolder } from "../config/trust.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Console } from "./console.ts";
import { type Invocation, wantsJson } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace, findPlace } from "./place.ts";
import { maskedValue, providerVariables } from "./shown-secrets.ts";
import { table } from "./table.ts";

export async function runConfig({ flags, operands }: Invocation, console: Console): Promise<number> {
  const [action = "show", ...others] = operands;
  if (others.length > 0) throw new TunacodeError("usage", `config ${action} takes no further words.`);
  const json = wantsJson(flags);
  const { env } = console;
  switch (action) {
    case "show": {
      const place = await configuredPlace(console, flags.cwd);
      const values = [...shownValues(place), ...(await rememberedValues(place))];
      for (const warning of place.loaded.warnings) console.tell(`tunacode: ${warning}`);
      await console.print(json ? `${JSON.stringify(values, null, 2)}\n` : table(values.map(row)));
      return 0;
    }
    case "path": {
      const place = findPlace(console, flags.cwd);
      const paths = { person: personalConfigPath(env), project: projectConfigPath(place) };
      await console.print(json ? `${JSON.stringify(paths)}\n` : `${paths.person}\n${paths.project}\n`);
      return 0;
    }
    case "schema": {
      const { configJsonSchema } = await import("../config/schema.ts");
      await console.print(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
      return 0;
    }
    case "trust": {
      const { root, cwd } = findPlace(console, flags.cwd);
      refuseTooMuch(root, env);
      const brought = await trustFolder(env, root, cwd);
      console.tell(
        `${root} is trusted: its own configuration and commands apply as they are now. To undo: tunacode config distrust`,
      );
      for (const line of brought.flatMap(powerLines)) console.tell(`  ${line}`);
      return 0;
    }
    case "distrust": {
      const { root } = findPlace(console, flags.cwd);
      const changed = await distrustFolder(env, root);
      console.tell(changed ? `${root} is no longer trusted.` : `${root} was not trusted.`);
      return 0;
    }
    default:
      throw new TunacodeError(
        "usage",
        `config can show, path, schema, trust and distrust, but not ${action}.`,
      );
  }
}

/** What a person trusts, with its values. */
function powerLines({ file, key, value }: BroughtPower): readonly string[] {
  const shown = (key: string, value: JsonValue) => {
    const masked = maskedValue(key, value);
    const text = exactLine(typeof masked === "string" ? masked : JSON.stringify(masked));
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)} ...` : text;
  };
  if (key === null) return [`${exactLine(file)}: ${shown("", value)}`];
  return leaves({ [key]: value }).map(
    ([path, inner]) => `${exactLine(`${file}: ${path}`)} = ${shown(path, inner)}`,
  );
}

const LONGEST_SHOWN = 400;

/** Trusting a home folder would trust everything the person ever downloads into it. */
function refuseTooMuch(root: string, env: NodeJS.ProcessEnv): void {
  if (root === "/" || root === (env["HOME"] || homedir()))
    throw new TunacodeError(
      "usage",
      `${root} contains more than one project. Run this inside the one you mean.`,
    );
}

interface ShownValue {
  readonly key: string;
  readonly value: JsonValue;
  readonly origin: string;
}

/** Every value in effect with the file it comes from, followed by the environment's variables. */
function shownValues({ loaded, env }: ConfiguredPlace): ShownValue[] {
  const values = new Map<string, ShownValue>();
  for (const layer of loaded.layers) {
    for (const [key, value] of leaves(layer.values as JsonObject)) {
      const ignored = layer.source === "project" && loaded.withheld.includes(key);
      const origin = `${layer.path ?? "default"}${ignored ? " (ignored: not trusted)" : ""}`;
      values.set(keyIn(layer, key), { key, value: maskedValue(key, value), origin });
    }
  }
  const fromFiles = [...values.values()].filter(({ key }) => key !== "$schema");
  const fromEnvironment = providerVariables(env, loaded.config.models.providers).map(([name, value]) => ({
    key: name,
    value: maskedValue(`env.${name}`, value),
    origin: "environment",
  }));
  const trust = { key: "trusted", value: loaded.config.trusted, origin: "trust list" };
  return [...fromFiles, ...fromEnvironment, trust];
}

/** The rules that the person keeps for this project. */
async function rememberedValues(place: ConfiguredPlace): Promise<ShownValue[]> {
  const { cwd, variables } = place;
  const { permissionRoot } = await import("../app/permit.ts");
  const { createDiskView } = await import("../permission/disk.ts");
  const remembered = rememberedRules(place.env, place.mainTree);
  const { rules } = remembered.read(permissionRoot(cwd, variables["HOME"] || homedir(), createDiskView({})));
  return Object.entries(rules)
    .filter(([, texts]) => texts.length > 0)
    .map(([verdict, texts]) => ({
      key: `permissions.${verdict}`,
      value: [...texts],
      origin: remembered.path,
    }));
}

/** Rules accumulate across files; any other value is replaced by the later file. */
function keyIn({ source }: Layer, key: string): string {
  return /^permissions\.(allow|ask|deny)$/.test(key) ? `${key} ${source}` : key;
}

function leaves(values: JsonObject, path: readonly string[] = []): [string, JsonValue][] {
  return Object.entries(values).flatMap(([name, value]): [string, JsonValue][] =>
    isJsonObject(value) ? leaves(value, [...path, name]) : [[[...path, name].join("."), value]],
  );
}

function row({ key, value, origin }: ShownValue): string[] {
  return [key, typeof value === "string" ? value : JSON.stringify(value), origin];
}
