// Makes the library for Bun and Node: dist/sdk.js, its types in dist/sdk.d.ts, and in dist/sdk what they refer to.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { newestIn, ROOT } from "./build.ts";
import { emitDeclarations } from "./declarations.ts";

const SOURCES = join(ROOT, "src");

export const LIBRARY = join(ROOT, "dist");

/** The program's launcher runs on older ones, so installing doesn't say it. */
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
    // All in one folder: a worker is found by its address from the file that starts it.
    naming: { entry: "[name].js", chunk: "[hash].js", asset: "[name]-[hash].[ext]" },
    plugins: [libraryRuntime, installedPrograms],
  });
  emitDeclarations(join(SOURCES, "sdk.ts"), join(inside, "types"));
  writeFileSync(join(inside, "runtime.js"), RUNTIME_CHECK);
  writeFileSync(join(LIBRARY, "sdk.js"), 'import "./sdk/runtime.js";\nexport * from "./sdk/sdk.js";\n');
  writeFileSync(join(LIBRARY, "sdk.d.ts"), 'export * from "./sdk/types/sdk.js";\n');
}

export async function buildLibraryIfStale(): Promise<void> {
  const path = join(LIBRARY, "sdk.d.ts");
  const builtAt = existsSync(path) ? newestIn(path) : 0;
  const sources = [SOURCES, join(ROOT, "scripts"), join(ROOT, "package-lock.json")];
  if (sources.some((source) => newestIn(source) >= builtAt)) await buildLibrary();
}

/** The library's own runtime in the place of Bun's, under the same names. */
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

/** Programs that the binary embeds are looked for among the installed packages. */
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

if (import.meta.main) {
  await buildLibrary();
  console.error(`built ${join(LIBRARY, "sdk.js")}`);
}
