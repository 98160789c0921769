// The person's folders for data, configuration, state and caches, by the XDG base directory specification.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export const dataHome = folder("XDG_DATA_HOME", ".local/share");
export const configHome = folder("XDG_CONFIG_HOME", ".config");
export const stateHome = folder("XDG_STATE_HOME", ".local/state");
export const cacheHome = folder("XDG_CACHE_HOME", ".cache");

/** The specification says that a relative path is invalid and to be ignored. */
function folder(name: string, fallback: string): (env: Environment) => string {
  return (env) => {
    const value = env[name];
    if (value !== undefined && isAbsolute(value)) return value;
    return join(env["HOME"] || homedir(), fallback);
  };
}
