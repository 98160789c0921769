// Makes the library for Bun and Node: dist/sdk.js, its types in dist/sdk.d.ts, and the files behind both in dist/sdk.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";
import { isStale, ROOT, runProgram } from "./build.ts";

const SOURCES = join(ROOT, "src");

export const LIBRARY = join(ROOT, "dist");

/** Installing doesn't report an old Node, because the program's launcher runs on older ones. */
const RUNTIME_CHECK = `if (Promise.withResolvers === undefined)
  throw new Error(\`The library of tunacode needs Node 22 or newer, or Bun. This is Node \${process.versions.node}.\`);
`;

export async function buildLibrary(): Promise<void> {
  const inside = join(LIBRARY, "sdk");
  rmSync(inside, { recursive: true, force: true });
  mkdirSync(inside, { recursive: true });
  await Bun.build({
    entrypoints: [join(SOURCES, "sdk.ts"), join(SOURCES, "tools", "html-worker.ts")],
    outdir: inside,
    target: "node",
    format: "esm",
    splitting: true,
    // In one folder, because a worker is found relative to the file that starts it.
    naming: { entry: "[name].js", chunk: "[hash].js", asset: "[name]-[hash].[ext]" },
    plugins: [libraryRuntime, installedPrograms],
  });
  emitTypes(join(inside, "types"));
  writeFileSync(join(inside, "runtime.js"), RUNTIME_CHECK);
  writeFileSync(join(LIBRARY, "sdk.js"), 'import "./sdk/runtime.js";\nexport * from "./sdk/sdk.js";\n');
  writeFileSync(join(LIBRARY, "sdk.d.ts"), 'export * from "./sdk/types/sdk.js";\n');
}

export async function buildLibraryIfStale(): Promise<void> {
  if (isStale(join(LIBRARY, "sdk.d.ts"), ["src", "scripts", "package-lock.json"])) await buildLibrary();
}

/** Replaces Bun's runtime with the library's own, under the same names. */
const libraryRuntime: BunPlugin = {
  name: "library-runtime",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]base[\\/]runtime\.ts$/ }, () => ({
      loader: "ts",
      contents: `export { libraryRuntime as runtime, newLibraryHasher as newHasher, newLibraryRewriter as newRewriter,
openLibraryWorker as openWorker } from "./bun-on-node.ts";`,
    }));
  },
};

/** The binary embeds these programs; the library looks for them among the installed packages. */
const installedPrograms: BunPlugin = {
  name: "installed-programs",
  setup(build) {
    build.onResolve({ filter: /[\\/](?:bin[\\/]rg|apply-seccomp|srt-proxy-agent\.jar)$/ }, ({ path }) => ({
      path,
      namespace: "installed-program",
    }));
    build.onLoad({ filter: /.*/, namespace: "installed-program" }, ({ path }) => ({
      loader: "js",
      contents: `import { fileURLToPath } from "node:url";
export default fileURLToPath(import.meta.resolve(${JSON.stringify(path)}));`,
    }));
  },
};

/** Runs tsc over the sources and keeps the files that the entry point reaches. */
function emitTypes(folder: string): void {
  const all = mkdtempSync(join(tmpdir(), "tunacode-types-"));
  const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--rootDir", "src"];
  try {
    const args = ["--project", "scripts/tsconfig.sdk.json", ...flags, "--outDir", all];
    runProgram(join(ROOT, "node_modules", ".bin", "tsc"), args, ROOT);
    copyReached(join(all, "sdk.d.ts"), all, folder, new Set());
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

const IMPORT = /(\bfrom "|\bimport\(")(\.[^"]+)\.ts"/g;

/** Imports are rewritten to .js, because consumers have .js and .d.ts files and no .ts files. */
function copyReached(path: string, from: string, to: string, seen: Set<string>): void {
  if (seen.has(path)) return;
  seen.add(path);
  const text = readFileSync(path, "utf8");
  for (const [, , name = ""] of text.matchAll(IMPORT))
    copyReached(join(dirname(path), `${name}.d.ts`), from, to, seen);
  const target = join(to, relative(from, path));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replace(IMPORT, '$1$2.js"'));
}

if (import.meta.main) {
  await buildLibrary();
  console.error(`built ${join(LIBRARY, "sdk.js")}`);
}
