// The person's folders for data, configuration, state and caches, by the XDG base directory specification.
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

/** The specification says that a relative path is invalid and to be ignored. */
function folder(env: Environment, name: string, fallback: string): string {
  const value = env[name];
  if (value !== undefined && isAbsolute(value)) return value;
  return join(env["HOME"] || homedir(), fallback);
}
