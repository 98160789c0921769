// Makes dist/tunacode: one native binary that needs nothing beside it.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { withBytecodeOrder } from "./bytecode-order.ts";

export const ROOT = join(import.meta.dir, "..");
const SOURCES = [
  "src",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "scripts/build.ts",
  "scripts/bytecode-order.ts",
];

export const BINARY = join(ROOT, "dist", "tunacode");

/** Code that runs in a thread of its own; in the binary it is found by its path from src. */
const WORKERS = ["tools/html-worker.ts"];

/**
 * How many times longer than usual code is interpreted before it is compiled. Most of what a short run executes is
 * executed once: compiling it as soon as usual costs a third of its time and a tenth of its memory. main.ts ends it.
 */
const JIT_RELUCTANCE = 64;

export async function build(): Promise<void> {
  await buildProgram(BINARY);
  await withBytecodeOrder(BINARY, (bytecodeOrder) => buildProgram(BINARY, { bytecodeOrder }));
}

export function buildProgram(
  outfile: string,
  options: Pick<CompileOptions, "foreign" | "bytecodeOrder"> = {},
) {
  return compile(join(ROOT, "src", "main.ts"), outfile, {
    ...options,
    jitPolicy: JIT_RELUCTANCE,
  });
}

/** For another machine than this one. */
export interface ForeignParts {
  readonly target: Bun.Build.CompileTarget;
  /** A Bun for that machine, of the same version as this one. */
  readonly executablePath: string;
  /** Finds its programs, which aren't installed here. */
  readonly plugins: readonly BunPlugin[];
}

interface CompileOptions {
  readonly plugins?: readonly BunPlugin[];
  readonly jitPolicy?: number;
  /** A file that a run of the program has written (bytecode-order.ts). */
  readonly bytecodeOrder?: string;
  readonly foreign?: ForeignParts;
}

/** Tests and benches use it for small programs that are packed like the shipped one. */
export async function compile(
  entrypoint: string,
  outfile: string,
  { jitPolicy = 1, bytecodeOrder, plugins = [], foreign }: CompileOptions = {},
): Promise<void> {
  await Bun.build({
    entrypoints: [entrypoint, ...WORKERS.map((worker) => join(ROOT, "src", worker))],
    root: join(ROOT, "src"),
    target: "bun",
    format: "esm",
    // Without splitting, lazy imports are folded in and loaded at start.
    splitting: true,
    bytecode: true,
    // Error classes are shown by name, so names survive.
    minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
    plugins: [...plugins, ...(foreign?.plugins ?? [])],
    compile: {
      outfile,
      ...(foreign === undefined ? {} : { target: foreign.target, executablePath: foreign.executablePath }),
      jitPolicy,
      bytecodeOrder: bytecodeOrder ?? false,
      // The folder tunacode works in is not ours: its .env and bunfig.toml must not configure or preload anything.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  });
}

/** Builds unless the binary is newer than everything it is made of. */
export async function buildIfStale(): Promise<void> {
  const builtAt = modifiedAt(BINARY);
  if (SOURCES.some((source) => newestIn(join(ROOT, source)) >= builtAt)) await build();
}

export function newestIn(path: string): number {
  if (!statSync(path).isDirectory()) return modifiedAt(path);
  // Folders count too: a file that was deleted or renamed leaves its trace there.
  const inside = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  return Math.max(...[path, ...inside].map(modifiedAt));
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (import.meta.main) {
  await build();
  console.error(`built ${BINARY}`);
}
