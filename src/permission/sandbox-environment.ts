// The variables of commands in the sandbox: those of the person's without keys and without what leads to their agents.
// Some would already act on the programs that set the sandbox up, which run outside it or with less of it, so the
// command gets those, and all that the model sets, only once it runs.
import { shellQuoted } from "../base/shell-program.ts";
import type { Environment } from "../base/xdg.ts";

interface SandboxVariables {
  /** For the programs that set the sandbox up. undefined: they don't have it. */
  readonly outer: Readonly<Record<string, string | undefined>>;
  /** What the command's script begins with. */
  readonly prefix: string;
}

const SECRET_NAME =
  /(^|_)(KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY)(_|$)|(PASSWORD|SECRET|TOKEN|APIKEY|CREDENTIALS)$/i;
const SECRET_VALUE =
  /:\/\/[^/@\s:]*:[^/@\s]+@|-----BEGIN [A-Z ]*PRIVATE KEY|^(sk-|gh[opsru]_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|npm_)[\w-]{16}/;
const AGENT =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|GIT_ASKPASS|GPG_AGENT_INFO|DBUS_.*|GNOME_KEYRING_.*|XAUTHORITY|DOCKER_HOST|CONTAINER_HOST)$/;
/** Loaders and shells obey these before they do anything else. */
const FOR_LOADERS = /^(LD_|DYLD_|GCONV_PATH$|LOCPATH$|NLSPATH$|GLIBC_TUNABLES$|MALLOC_|SOCAT)/;
const FOR_SHELLS = /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|BASH_FUNC_.*|BASH_XTRACEFD|ZDOTDIR)$/;

export function sandboxVariables(
  ours: Environment,
  models: Readonly<Record<string, string>>,
  isKey: (value: string) => boolean,
): SandboxVariables {
  const outer: Record<string, string | undefined> = Object.fromEntries(ALWAYS_LEFT_OUT);
  const inner: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(ours)) {
    const isSecret = SECRET_NAME.test(name) || SECRET_VALUE.test(value) || isKey(value);
    const isLeftOut = isSecret || AGENT.test(name) || FOR_SHELLS.test(name);
    if (isLeftOut || FOR_LOADERS.test(name)) outer[name] = undefined;
    if (!isLeftOut && FOR_LOADERS.test(name)) inner[name] = value;
  }
  for (const [name, value] of Object.entries(models)) {
    outer[name] = undefined;
    inner[name] = value;
  }
  const set = Object.entries(inner).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  const words = set.map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return { outer, prefix: words.length === 0 ? "" : `export ${words.join(" ")};` };
}

/** Even if nobody said that the model sets them. */
const ALWAYS_LEFT_OUT =
  "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT LD_DEBUG_OUTPUT GCONV_PATH GLIBC_TUNABLES BASH_ENV ENV SHELLOPTS BASHOPTS PS4"
    .split(" ")
    .map((name) => [name, undefined]);
