// Emits the library's types: runs tsc over the sources and keeps the files that the entry point reaches.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { ROOT } from "./build.ts";

const IMPORT = /(\bfrom "|\bimport\(")(\.[^"]+)\.ts"/g;

export function emitDeclarations(entry: string, folder: string): void {
  const all = mkdtempSync(join(tmpdir(), "tunacode-types-"));
  try {
    runCompiler(all);
    copyReached(
      join(all, relative(join(ROOT, "src"), entry).replace(/\.ts$/, ".d.ts")),
      all,
      folder,
      new Set(),
    );
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

function runCompiler(outDir: string): void {
  const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--rootDir", "src"];
  const { status, stdout, stderr } = spawnSync(
    join(ROOT, "node_modules", ".bin", "tsc"),
    ["--project", "scripts/tsconfig.sdk.json", ...flags, "--outDir", outDir],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`tsc could not emit the library's types:\n${stdout}${stderr}`);
}

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
