// Programs that test, build, check or format a project, or run a script of it. Outside a sandbox nobody can tell what
// they really do, but they are what a person means by "run the tests". There, a reviewing model is asked about no other
// programs. Left out are `git add` and `git commit`: they write .git, and run what its hooks and filters name.
import { basename } from "node:path";
import type { KnownWord } from "./rule-match.ts";

const ANY = /^/;
const SCRIPTS = /^(test|t|tst|run|run-script|start|build|lint|check|format|typecheck)$/;

/** What their first word that is no option has to be. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    (
      "make gmake just ninja pytest tox nox jest vitest mocha ava tsc eslint biome prettier ruff black mypy flake8 " +
      "rspec phpunit ctest gradle gradlew mvn mvnw " +
      // What they print goes into a file, which is judged on its own.
      "echo printf cat"
    )
      .split(" ")
      .map((name) => [name, ANY]),
  ),
  npm: SCRIPTS,
  pnpm: SCRIPTS,
  yarn: SCRIPTS,
  bun: SCRIPTS,
  deno: /^(test|lint|fmt|check|bench)$/,
  cargo: /^(build|check|test|clippy|fmt|bench|doc|run)$/,
  go: /^(build|test|vet|fmt|run|generate)$/,
  dotnet: /^(build|test|format)$/,
  swift: /^(build|test)$/,
  mix: /^(test|compile|format)$/,
};

/** They run a file. Code on the command line is not a script of the project. */
const INTERPRETERS = /^(node|python[\d.]*|ruby|perl|php|bash|sh|zsh)$/;

/** Words that reach beyond the project, whoever understands them. */
const BEYOND =
  /(^|[:_-])(un)?(install|publish|deploy|release|push|upload)($|[:_-])|^(-g|--global|--location=global|--user|--system)$/;

/** Whether their words name ordinary files only is for others to see. */
export function isTestOrBuild(words: readonly KnownWord[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined || program === null || rest.includes(null)) return false;
  const known = rest.filter((word) => word !== null);
  if (known.some((word) => BEYOND.test(word))) return false;
  const isSystems = !program.includes("/") || /^\/(usr\/)?(local\/)?bin\/[^/]+$/.test(program);
  if (!isSystems) return /^[^/~]/.test(program) && !program.includes("..");
  const name = basename(program);
  if (INTERPRETERS.test(name)) return /^[^-]/.test(known[0] ?? "");
  const operand = known.find((word) => !word.startsWith("-")) ?? "";
  return Object.hasOwn(RUNNERS, name) && RUNNERS[name]?.test(operand) === true;
}
