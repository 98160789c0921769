// Makes dist/tunacode: one native binary that needs nothing beside it.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";

export const ROOT = join(import.meta.dir, "..");
const SOURCES = ["src", "package.json", "package-lock.json", "tsconfig.json", "scripts/build.ts"];

export const BINARY = join(ROOT, "dist", "tunacode");

/** Code that runs in a worker thread. The binary finds it by its path relative to src. */
const WORKERS = ["tools/html-worker.ts"];

/**
 * How many times longer than usual code is interpreted before it is compiled. A short run executes most of its code
 * once, and compiling it as early as usual costs a third of the time and a tenth of the memory. main.ts lifts this.
 */
const JIT_RELUCTANCE = 64;

export function buildProgram(outfile: string, foreign?: ForeignParts): Promise<void> {
  return compile(join(ROOT, "src", "main.ts"), outfile, { jitPolicy: JIT_RELUCTANCE, foreign });
}

/** What it takes to build for another platform. */
export interface ForeignParts {
  readonly target: Bun.Build.CompileTarget;
  /** A Bun for that platform, of the same version as this one. */
  readonly executablePath: string;
  /** Finds the platform's programs, which aren't installed here. */
  readonly plugins: BunPlugin[];
}

interface CompileOptions {
  readonly jitPolicy?: number;
  readonly foreign?: ForeignParts | undefined;
}

/** Tests and benches build small programs with it, packed like the shipped one. */
export async function compile(
  entrypoint: string,
  outfile: string,
  { jitPolicy = 1, foreign }: CompileOptions = {},
): Promise<void> {
  await Bun.build({
    entrypoints: [entrypoint, ...WORKERS.map((worker) => join(ROOT, "src", worker))],
    root: join(ROOT, "src"),
    target: "bun",
    format: "esm",
    // Without splitting, lazy imports would be loaded at start.
    splitting: true,
    bytecode: true,
    // Error classes are shown by name.
    minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
    plugins: foreign?.plugins ?? [],
    compile: {
      outfile,
      ...(foreign !== undefined && { target: foreign.target, executablePath: foreign.executablePath }),
      jitPolicy,
      // The folder tunacode works in isn't ours: its .env and bunfig.toml must not configure or preload anything.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  });
}

/** Builds unless the binary is newer than all of its sources. */
export async function buildIfStale(): Promise<void> {
  if (isStale(BINARY, SOURCES)) await buildProgram(BINARY);
}

/** `sources` are relative to the root. */
export function isStale(target: string, sources: readonly string[]): boolean {
  const builtAt = modifiedAt(target);
  return sources.some((source) => newestIn(join(ROOT, source)) >= builtAt);
}

function newestIn(path: string): number {
  if (!statSync(path).isDirectory()) return modifiedAt(path);
  // Deleting or renaming a file changes the time of its folder.
  const inside = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  return Math.max(...[path, ...inside].map(modifiedAt));
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Runs a program to its end and returns what it printed. Throws if it fails. */
export function runProgram(command: string, args: readonly string[], cwd: string): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? stdout + stderr}`);
}

if (import.meta.main) {
  await buildProgram(BINARY);
  console.error(`built ${BINARY}`);
}
