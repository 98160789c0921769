// The variables of commands that run unasked: those of a person's that say where and in which language they work, and
// ours. Keys of providers are not among them, nor any that names a program.
import { GIT_ENVIRONMENT } from "./git-repository.ts";

const KEPT = /^(HOME|LANG|LC_[A-Z]+|TZ|XDG_[A-Z_]+)$/;

export function unaskedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  searchPath: string,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && KEPT.test(name)) kept[name] = value;
  return { ...kept, PATH: searchPath, ...GIT_ENVIRONMENT };
}
