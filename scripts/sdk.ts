// Makes the library for Bun and Node: dist/sdk.js, its types in dist/sdk.d.ts, and in dist/sdk what they refer to.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { bunOnNode } from "../src/base/bun-on-node.ts";
import { newestIn, ROOT } from "./build.ts";
import { emitDeclarations } from "./declarations.ts";

const SOURCES = join(ROOT, "src");
const BUN_ON_NODE = join(SOURCES, "base", "bun-on-node.ts");

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
    plugins: [withoutBun, installedPrograms],
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

/** On Node the globals of Bun are ours. */
const withoutBun: BunPlugin = {
  name: "bun-on-node",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8").replace('"./html-worker.ts"', '"./html-worker.js"');
      if (path === BUN_ON_NODE) return { loader: "ts", contents: text };
      const missing = [...text.matchAll(/\bBun\.(\w+)/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !(name in bunOnNode));
      if (missing.length > 0)
        throw new Error(`${path} uses Bun.${missing[0]}, which ${BUN_ON_NODE} doesn't have.`);
      const used = GLOBALS.filter((name) => usesGlobal(text, name));
      // The worker's own side has to be set up even though it uses none of them.
      const names = path.endsWith("html-worker.ts") ? "" : `{ ${used.join(", ")} } from `;
      const isTouched = used.length > 0 || names === "";
      return {
        loader: "ts",
        contents: isTouched ? `import ${names}${JSON.stringify(BUN_ON_NODE)};${text}` : text,
      };
    });
  },
};

const GLOBALS = ["Bun", "Worker", "HTMLRewriter"];

function usesGlobal(text: string, name: string): boolean {
  return new RegExp(name === "Bun" ? "\\bBun\\." : `\\bnew ${name}\\(`).test(text);
}

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
