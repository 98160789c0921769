// Where programs keep things of a person's: the folders of the XDG base directory specification.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export function dataHome(env: Environment): string {
  return folder(env, "XDG_DATA_HOME", ".local/share");
}

export function configHome(env: Environment): string {
  return folder(env, "XDG_CONFIG_HOME", ".config");
}

export function stateHome(env: Environment): string {
  return folder(env, "XDG_STATE_HOME", ".local/state");
}

export function cacheHome(env: Environment): string {
  return folder(env, "XDG_CACHE_HOME", ".cache");
}

/** The specification: a relative path is invalid and ignored. */
function folder(env: Environment, name: string, fallback: string): string {
  const value = env[name];
  if (value !== undefined && isAbsolute(value)) return value;
  return join(env["HOME"] || homedir(), fallback);
}
