// Which project folders a person trusts, and what the configuration of other projects may not do: loosen
// permissions, add programs or instructions, or change where keys are sent.
import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import type { Environment } from "../base/xdg.ts";
import type { PermissionMode } from "../domain/permission.ts";
import { personalFolder } from "./paths.ts";
import { writePrivateFile } from "./private-file.ts";
import type { ConfigFile } from "./schema.ts";

interface Restricted {
  readonly values: ConfigFile;
  /** Keys that are ignored until the folder is trusted. */
  readonly withheld: readonly string[];
}

/** Both lists go from strict to loose. */
const MODES: readonly PermissionMode[] = ["read-only", "ask", "auto-edit", "yolo"];
const SANDBOXES: readonly ConfigFile["sandbox"][] = ["on", "auto", "off"];

export function trustListPath(env: Environment): string {
  return join(personalFolder(env), "trusted-folders.json");
}

/** A folder is trusted if it, or a folder above it, is in the list. */
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

/** Returns false if the folder itself was not in the list. */
export async function distrustFolder(env: Environment, folder: string): Promise<boolean> {
  const folders = await trustedFolders(env);
  const left = folders.filter((trusted) => trusted !== realPath(folder));
  if (left.length < folders.length) await writeList(env, left);
  return left.length < folders.length;
}

/**
 * Allow rules are kept although they don't apply yet. Matching skips them by their source, so that a question can
 * mention a rule that would have allowed the call.
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
    const kept = isStricterMode(mode, person.permissions?.mode ?? "ask");
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

/** Only the person can switch on auto. It allows other things than auto-edit, and asks no more than ask. */
function isStricterMode(mode: PermissionMode | undefined, than: PermissionMode): mode is PermissionMode {
  if (mode === "auto") return than === "auto";
  return isStricter(MODES, mode, than === "auto" ? "ask" : than);
}

function isStricter<Value>(
  scale: readonly Value[],
  value: Value | undefined,
  than: Value,
): value is Value & {} {
  return value !== undefined && scale.indexOf(value) <= scale.indexOf(than);
}

/** A file outside the project would be sent to the model without asking. */
function isInside(file: string): boolean {
  return !isAbsolute(file) && !file.startsWith("~") && !file.split(/[\\/]/).includes("..");
}

async function trustedFolders(env: Environment): Promise<string[]> {
  if (!existsSync(trustListPath(env))) return [];
  // If the list is unreadable, nothing is trusted, which is safe.
  const text = await readFile(trustListPath(env), "utf8").catch(() => "");
  const parsed = parseJson(text);
  const folders = parsed.ok && isJsonObject(parsed.value) ? parsed.value["folders"] : undefined;
  return Array.isArray(folders) ? folders.filter((folder) => typeof folder === "string") : [];
}

function writeList(env: Environment, folders: readonly string[]): Promise<void> {
  return writePrivateFile(trustListPath(env), `${JSON.stringify({ folders }, null, 2)}\n`);
}

/** Resolves symlinks, so that none can make a folder look like a trusted one. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // The folder is gone, so only its written path is left.
  }
}
