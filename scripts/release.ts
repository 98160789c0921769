// Builds a release in dist/release: a binary and an npm package for each platform, the main package, and checksums of
// them all. The runtime and ripgrep of other platforms come from their npm packages.
import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { version } from "../package.json";
import { buildProgram, type ForeignParts, ROOT, runProgram } from "./build.ts";
import {
  PLATFORMS,
  type Platform,
  pack,
  platformName,
  writeMainPackage,
  writePlatformPackage,
} from "./packages.ts";
import { buildLibrary } from "./sdk.ts";

export async function release(folder: string, platforms: readonly Platform[] = PLATFORMS): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "tunacode-release-"));
  try {
    await buildLibrary();
    writeMainPackage(join(work, "main"));
    pack(join(work, "main"), folder);
    for (const platform of platforms) {
      const binary = join(folder, `tunacode-${version}-${platformName(platform)}`);
      await buildProgram(binary, foreignParts(platform, work));
      writePlatformPackage(join(work, "platform"), platform, binary);
      pack(join(work, "platform"), folder);
    }
    writeFileSync(join(folder, "SHA256SUMS"), checksums(folder));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function foreignParts(platform: Platform, work: string): ForeignParts {
  const { os, cpu } = platform;
  const runtime = unpack(`@oven/bun-${os}-${cpu === "arm64" ? "aarch64" : cpu}@${Bun.version}`, work);
  const ripgrep = `@vscode/ripgrep-${os}-${cpu}`;
  const programs = unpack(`${ripgrep}@${ripgrepVersion(ripgrep)}`, work);
  return {
    target: `bun-${os}-${cpu}`,
    executablePath: join(runtime, "bin", "bun"),
    plugins: [ripgrepFrom(ripgrep, programs)],
  };
}

function ripgrepVersion(name: string): string {
  const manifest = readFileSync(join(ROOT, "node_modules", "@vscode", "ripgrep", "package.json"), "utf8");
  return JSON.parse(manifest).optionalDependencies[name];
}

/** node_modules has ripgrep for this machine only. */
function ripgrepFrom(name: string, folder: string): BunPlugin {
  return {
    name: "foreign-ripgrep",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}/bin/rg$`) }, () => ({
        path: join(folder, "bin", "rg"),
      }));
    },
  };
}

/** Downloads a package from the registry and returns the folder with its files. */
function unpack(specifier: string, work: string): string {
  const folder = mkdtempSync(join(work, "package-"));
  runProgram("npm", ["pack", "--silent", "--pack-destination", folder, specifier], work);
  const [tarball = ""] = readdirSync(folder);
  runProgram("tar", ["-xzf", tarball], folder);
  return join(folder, "package");
}

function checksums(folder: string): string {
  const names = readdirSync(folder).sort();
  return names.map((name) => `${hash("sha256", readFileSync(join(folder, name)))}  ${name}\n`).join("");
}

if (import.meta.main) {
  const folder = join(ROOT, "dist", "release");
  await release(folder);
  console.error(`released to ${folder}`);
}
