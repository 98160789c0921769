// Checks one by one what tunacode needs from the machine and the setup, with a remedy for what is missing.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { cacheHome, configHome, type Environment, stateHome } from "../base/xdg.ts";
import { errorMessage } from "../domain/error.ts";
import { chooseModel } from "../models/choose-model.ts";
import { splitModelName } from "../models/model-name.ts";
import { isMissingKey, type ResolvedProvider, resolveProvider } from "../models/resolve-provider.ts";
import type { ModelPreferences, Wire } from "../models/settings.ts";
import { createSandbox } from "../permission/sandbox.ts";
import { NewerSessionError } from "../session/newer-session.ts";
import { readSession } from "../session/open.ts";
import { sessionFolder } from "../session/paths.ts";
import { isLoss } from "../session/report.ts";
import { listSessions } from "../session/store.ts";
import { createRipgrepPath } from "../tools/ripgrep.ts";

export interface MachineCheck {
  readonly name: string;
  /** planned: it would be changed if this were no dry run. */
  readonly status: "ok" | "changed" | "planned" | "warning" | "failure";
  readonly message: string;
  readonly remedy?: string;
}

interface MachineSettings {
  readonly env: Environment;
  readonly root: string;
  readonly models: ModelPreferences;
}

const PROGRAM_MS = 10_000;
const NETWORK_MS = 10_000;
/** Only the newest are checked, so that thousands of sessions don't slow the command down. */
const MOST_SESSIONS = 100;

export async function* checkMachine(settings: MachineSettings): AsyncGenerator<MachineCheck> {
  const { env, root } = settings;
  yield ok("runtime", `Bun ${process.versions["bun"]} on ${process.platform} ${process.arch}`);
  yield checkGit(env);
  const ripgrepPath = createRipgrepPath();
  yield await checkRipgrep(ripgrepPath);
  yield await checkSandbox(root, env, ripgrepPath);
  yield* await checkStorage(env);
  yield* checkModel(settings);
  yield await checkSessions(env);
}

function checkGit({ PATH }: Environment): MachineCheck {
  const { status, stdout } = version("git", { PATH });
  if (status === 0) return ok("git", stdout.trim().replace(/^git version /, ""));
  return warning("git", "git can't be run, so the agent can't read the project's history.", "Install git.");
}

function version(program: string, env = process.env) {
  return spawnSync(program, ["--version"], { env, encoding: "utf8", timeout: PROGRAM_MS });
}

async function checkRipgrep(ripgrepPath: () => Promise<string>): Promise<MachineCheck> {
  try {
    const path = await ripgrepPath();
    const { status, stdout, error } = version(path);
    if (status === 0) return ok("ripgrep", `${stdout.split("\n")[0]?.replace(/^ripgrep /, "")} (${path})`);
    return failure(
      "ripgrep",
      `${path} can't be run: ${error?.message ?? `exit code ${status}`}`,
      RIPGREP_REMEDY,
    );
  } catch (error) {
    return failure("ripgrep", errorMessage(error), RIPGREP_REMEDY);
  }
}

const RIPGREP_REMEDY =
  "Searching needs it. Point XDG_CACHE_HOME to a folder where programs may be executed, or put rg on the PATH.";

async function checkSandbox(
  root: string,
  env: Environment,
  ripgrepPath: () => Promise<string>,
): Promise<MachineCheck> {
  const sandbox = await createSandbox({ root, home: env["HOME"] || homedir(), env, ripgrepPath });
  await sandbox.close();
  if (sandbox.available) return ok("sandbox", sandbox.reason);
  const remedy =
    process.platform === "linux"
      ? "Install bubblewrap and socat, and allow unprivileged user namespaces."
      : "Without a sandbox, tunacode asks before it runs commands.";
  return warning("sandbox", sandbox.reason, remedy);
}

async function checkStorage(env: Environment): Promise<MachineCheck[]> {
  const sessions = sessionFolder(env);
  const count = (await listSessions(sessions)).length;
  return [
    checkFolder("sessions", sessions),
    checkFolder("configuration", configHome(env)),
    checkFolder("logs", join(stateHome(env), "tunacode")),
    checkFolder("cache", join(cacheHome(env), "tunacode")),
    ...checkPrivacy(sessions),
    ok("folder", `sessions: ${count} in ${sessions}`),
  ];
}

const FOLDER_REMEDY =
  "Make it writable, free some space, or move it with XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME.";
/** A few long turns need more than this. */
const LEAST_FREE = 10_000_000;

function checkFolder(name: string, folder: string): MachineCheck {
  const problem = (what: string) => failure("folder", `${name}: ${what}`, FOLDER_REMEDY);
  const existing = nearestExisting(folder);
  try {
    if (!statSync(existing).isDirectory()) return problem(`${existing} is not a folder`);
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    const free = bavail * bsize;
    if (free < LEAST_FREE) return problem(`${folder} has only ${Math.round(free / 1000)} kB left`);
    return ok("folder", `${name}: ${folder} is writable`);
  } catch (error) {
    return problem(`${folder} is not writable (${errorMessage(error)})`);
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestExisting(dirname(folder));
}

/** Conversations are private: nobody else may read them. */
function checkPrivacy(folder: string): MachineCheck[] {
  if (!existsSync(folder) || (statSync(folder).mode & 0o077) === 0) return [];
  const what = `sessions: others can read ${folder}; starting a new session fixes that`;
  return [failure("folder", what, FOLDER_REMEDY)];
}

async function* checkModel({ env, models }: MachineSettings): AsyncGenerator<MachineCheck> {
  const wish = { ...models, env };
  let provider: ResolvedProvider;
  try {
    const { name } = await chooseModel(wish);
    provider = resolveProvider(splitModelName(name).provider, wish);
    yield isMissingKey(provider)
      ? failure(
          "model",
          `${name} has no key.`,
          `Set ${provider.keyNames.join(" or ")}, or run: tunacode setup`,
        )
      : ok("model", name);
  } catch (error) {
    yield failure("model", errorMessage(error), "Run: tunacode setup");
    return;
  }
  if (!isMissingKey(provider)) yield await checkProvider(provider);
}

async function checkProvider({ name, baseUrl, wire, apiKey = "" }: ResolvedProvider): Promise<MachineCheck> {
  const signal = AbortSignal.timeout(NETWORK_MS);
  try {
    const { status } = await fetch(`${baseUrl}/models`, { headers: keyHeaders(wire, apiKey), signal });
    if (status === 401 || status === 403)
      return failure("provider", `${name} rejects the key (${status}).`, "Set another key: tunacode setup");
    if (status >= 500) return warning("provider", `${baseUrl} answers with ${status}.`, "Try again later.");
    return ok("provider", `${baseUrl} answers`);
  } catch (error) {
    return failure(
      "provider",
      `${baseUrl} can't be reached: ${errorMessage(error)}`,
      "Check the address, the network and the proxy.",
    );
  }
}

function keyHeaders(wire: Wire, apiKey: string): Record<string, string> {
  if (wire === "anthropic") return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  return wire === "google" ? { "x-goog-api-key": apiKey } : { authorization: `Bearer ${apiKey}` };
}

async function checkSessions(env: Environment): Promise<MachineCheck> {
  const newest = await listSessions(sessionFolder(env), { limit: MOST_SESSIONS });
  const damaged: string[] = [];
  for (const { paths } of newest) {
    try {
      const session = await readSession(paths);
      if (session?.report.notes.some(isLoss)) damaged.push(paths.sessionId);
    } catch (error) {
      if (!(error instanceof NewerSessionError)) throw error;
      return warning("sessions", error.message, "Update tunacode.");
    }
  }
  if (damaged.length === 0) return ok("sessions", `${newest.length} checked, none damaged`);
  return warning("sessions", `damaged: ${damaged.join(", ")}`, `Run: tunacode doctor ${damaged[0]}`);
}

function ok(name: string, message: string): MachineCheck {
  return { name, status: "ok", message };
}

function warning(name: string, message: string, remedy: string): MachineCheck {
  return { name, status: "warning", message, remedy };
}

function failure(name: string, message: string, remedy: string): MachineCheck {
  return { name, status: "failure", message, remedy };
}
