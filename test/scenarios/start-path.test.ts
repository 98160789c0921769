// Start-up is a feature: what `tunacode run` loads before its first request is watched here. Each of these modules
// takes longer to load than a session takes to open.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SOURCES = join(import.meta.dir, "..", "..", "src");

/** Everything of ours that is loaded for one answer, in the order of loading. */
const ENTRIES = ["main.ts", "cli/start.ts", "cli/run.ts"];

/** Everything of ours that is loaded before the terminal app shows its editor; the screen is drawn with pi-tui. */
const SCREEN_ENTRIES = ["main.ts", "cli/start.ts", "cli/other-commands.ts"];

const HEAVY =
  /^node:(child_process|crypto|dns|http|https|net|readline|stream|tls|tty|util|worker_threads|zlib)\b|^@|^(diff|highlight\.js|turndown|unbash|vscode-jsonrpc|zod)/;

/** zod comes with the vendor's package in any case, and the validator takes a fifth of a millisecond. */
const ACCEPTED = ["zod", "@cfworker/json-schema"];

const isHeavy = (name: string) => HEAVY.test(name) && !ACCEPTED.includes(name);

test("nothing heavy stands in the way of the first request", () => {
  const found = new Set(ENTRIES.flatMap((entry) => [...staticImports(join(SOURCES, entry))]));
  expect([...found].filter(isHeavy)).toEqual([]);
  // The walk itself works: what every path needs was met, and what is loaded late is known to be heavy.
  expect([...found]).toEqual(expect.arrayContaining(["node:fs", "node:path"]));
  expect([...staticImports(join(SOURCES, "config/schema.ts"))].filter((name) => HEAVY.test(name))).toEqual([
    "zod",
  ]);
});

test("the terminal app shows its editor before the agent, its schemas and the programs it may run are loaded", () => {
  const found = new Set(SCREEN_ENTRIES.flatMap((entry) => [...staticImports(join(SOURCES, entry))]));
  expect([...found].filter((name) => HEAVY.test(name))).toEqual([]);
});

test("--version loads nothing", () => {
  expect([...staticImports(join(SOURCES, "main.ts"))]).toEqual([]);
});

test("`run` loads neither the screen nor the desk", () => {
  const files = [...ownFiles(join(SOURCES, "cli/run.ts"))];
  const rooms = files.map((file) => file.slice(SOURCES.length + 1));
  expect(rooms.filter((file) => /^(?:tui|front)\//.test(file))).toEqual([
    "front/custom-prompts.ts",
    "front/prepared-prompt.ts",
  ]);
});

test("the reader of shell commands, the sandbox and the reviewer are loaded when they are needed", () => {
  const files = ENTRIES.flatMap((entry) => [...ownFiles(join(SOURCES, entry))]);
  const late =
    /\/(?:permission\/(?:shell|read-only|rebuild|git-effects|known-effects|set-aside|way-out|sandbox(?!-recovery))|app\/(?:reviewer|sandbox|way-out|set-aside))[^/]*$/;
  const loaded = files.filter((file) => late.test(file)).map((file) => file.slice(SOURCES.length + 1));
  expect([...new Set(loaded)]).toEqual([]);
  expect([...ownFiles(join(SOURCES, "permission/decide.ts"))].filter((file) => late.test(file))).not.toEqual(
    [],
  );
});

const transpiler = new Bun.Transpiler({ loader: "ts" });
const packagesOf = new Map<string, Set<string>>();

/** The packages that are loaded with a file; type imports and lazy ones are not. */
function staticImports(file: string): Set<string> {
  const known = packagesOf.get(file);
  if (known !== undefined) return known;
  const packages = new Set<string>();
  packagesOf.set(file, packages);
  if (!file.endsWith(".ts")) return packages;
  for (const { path, kind } of transpiler.scanImports(readFileSync(file, "utf8"))) {
    if (kind !== "import-statement") continue;
    if (!path.startsWith(".")) packages.add(path);
    else for (const name of staticImports(join(dirname(file), path))) packages.add(name);
  }
  return packages;
}

/** Our files that are loaded with one, itself included. */
function ownFiles(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !file.endsWith(".ts")) return found;
  found.add(file);
  for (const { path, kind } of transpiler.scanImports(readFileSync(file, "utf8")))
    if (kind === "import-statement" && path.startsWith(".")) ownFiles(join(dirname(file), path), found);
  return found;
}
