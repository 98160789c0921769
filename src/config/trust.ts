// Which project folders a person trusts, and what the configuration of the others may not do: loosen permissions,
// add what is run or sent, change where keys go.
import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import type { Environment } from "../base/xdg.ts";
import type { PermissionMode } from "../domain/permission.ts";
import type { SandboxMode } from "./config.ts";
import { personalFolder } from "./paths.ts";
import { writePrivateFile } from "./private-file.ts";
import type { ConfigFile } from "./schema.ts";

export interface Restricted {
  readonly values: ConfigFile;
  /** Keys that don't count until the folder is trusted. */
  readonly withheld: readonly string[];
}

/** From strict to loose. */
const MODES: readonly PermissionMode[] = ["read-only", "ask", "auto-edit", "yolo"];
const SANDBOXES: readonly SandboxMode[] = ["on", "auto", "off"];

export function trustListPath(env: Environment): string {
  return join(personalFolder(env), "trusted-folders.json");
}

/** A trusted folder vouches for the folders in it. */
export async function isTrusted(env: Environment, folder: string): Promise<boolean> {
  const wanted = realPath(folder);
  return (await trustedFolders(env)).some((trusted) => {
    const way = relative(trusted, wanted);
    return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
  });
}

export async function trustFolder(env: Environment, folder: string): Promise<void> {
  const folders = await trustedFolders(env);
  if (!folders.includes(realPath(folder))) await writeList(env, [...folders, realPath(folder)]);
}

/** False: it was not in the list itself. */
export async function distrustFolder(env: Environment, folder: string): Promise<boolean> {
  const folders = await trustedFolders(env);
  const left = folders.filter((trusted) => trusted !== realPath(folder));
  if (left.length < folders.length) await writeList(env, left);
  return left.length < folders.length;
}

/**
 * Allow rules stay: they carry their source, and are left out where they are matched, so that a question can say
 * that one was there.
 */
export function restrictUntrusted(project: ConfigFile, person: ConfigFile): Restricted {
  const withheld: string[] = [];
  const { env, providers, sandbox, permissions, settings, ...rest } = project;
  const values: ConfigFile = { ...rest };
  if (env !== undefined) withheld.push("env");
  if (providers !== undefined) withheld.push("providers");

  if (isStricter(SANDBOXES, sandbox, person.sandbox ?? "auto")) Object.assign(values, { sandbox });
  else if (sandbox !== undefined) withheld.push("sandbox");

  if (permissions !== undefined) {
    const { mode, ...rules } = permissions;
    const kept = isStricter(MODES, mode, person.permissions?.mode ?? "ask");
    if (mode !== undefined && !kept) withheld.push("permissions.mode");
    if (rules.allow !== undefined) withheld.push("permissions.allow");
    values.permissions = { ...rules, ...(kept && { mode }) };
  }

  if (settings !== undefined) {
    const { providers: addresses, guide_file, lsp, ...harmless } = settings;
    if (addresses !== undefined) withheld.push("settings.providers");
    const inside = guide_file !== undefined && isInside(guide_file);
    if (guide_file !== undefined && !inside) withheld.push("settings.guide_file");
    const starts = lsp?.enabled === true && person.settings?.lsp?.enabled === false;
    if (starts) withheld.push("settings.lsp.enabled");
    const { enabled: _, ...limits } = lsp ?? {};
    values.settings = {
      ...harmless,
      ...(inside && { guide_file }),
      ...(lsp !== undefined && { lsp: starts ? limits : lsp }),
    };
  }
  return { values, withheld };
}

function isStricter<Value>(
  scale: readonly Value[],
  value: Value | undefined,
  than: Value,
): value is Value & {} {
  return value !== undefined && scale.indexOf(value) <= scale.indexOf(than);
}

/** A file elsewhere would go to the model without a question. */
function isInside(file: string): boolean {
  return !isAbsolute(file) && !file.startsWith("~") && !file.split(/[\\/]/).includes("..");
}

async function trustedFolders(env: Environment): Promise<string[]> {
  if (!existsSync(trustListPath(env))) return [];
  // Unreadable: nothing is trusted, which is safe.
  const text = await readFile(trustListPath(env), "utf8").catch(() => "");
  const parsed = parseJson(text);
  const folders = parsed.ok && isJsonObject(parsed.value) ? parsed.value["folders"] : undefined;
  return Array.isArray(folders) ? folders.filter((folder) => typeof folder === "string") : [];
}

function writeList(env: Environment, folders: readonly string[]): Promise<void> {
  return writePrivateFile(trustListPath(env), `${JSON.stringify({ folders }, null, 2)}\n`);
}

/** Links must not make a folder look like a trusted one. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // It is gone; its name is all there is.
  }
}
