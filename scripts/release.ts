// Builds a release in dist/release: a binary and an npm package for each platform, the main package, and checksums of
// them all. The runtime and ripgrep of other platforms come from their npm packages.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BunPlugin } from "bun";
import { version } from "../package.json";
import { BINARY, buildIfStale, buildProgram, type ForeignParts, ROOT } from "./build.ts";
import { withBytecodeOrder } from "./bytecode-order.ts";
import { pack, writeMainPackage, writePlatformPackage } from "./packages.ts";
import { PLATFORMS, type Platform, platformName } from "./platforms.ts";
import { buildLibrary } from "./sdk.ts";

export async function release(folder: string, platforms: readonly Platform[] = PLATFORMS): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "tunacode-release-"));
  try {
    await buildLibrary();
    writeMainPackage(join(work, "main"));
    pack(join(work, "main"), folder);
    await buildIfStale();
    await withBytecodeOrder(BINARY, async (bytecodeOrder) => {
      for (const platform of platforms) {
        const binary = join(folder, `tunacode-${version}-${platformName(platform)}`);
        await buildProgram(binary, { foreign: foreignParts(platform, work), bytecodeOrder });
        writePlatformPackage(join(work, "platform"), platform, binary);
        pack(join(work, "platform"), folder);
      }
    });
    writeFileSync(join(folder, "SHA256SUMS"), await checksums(folder));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function foreignParts(platform: Platform, work: string): ForeignParts {
  const { os, cpu, runtimePackage, ripgrepPackage } = platform;
  const runtime = unpack(`${runtimePackage}@${Bun.version}`, work);
  const programs = unpack(`${ripgrepPackage}@${ripgrepVersion(ripgrepPackage)}`, work);
  return {
    target: `bun-${os}-${cpu}`,
    executablePath: join(runtime, "bin", "bun"),
    plugins: [ripgrepFrom(ripgrepPackage, programs)],
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
  run("npm", ["pack", "--silent", "--pack-destination", folder, specifier], work);
  const [tarball = ""] = readdirSync(folder);
  run("tar", ["-xzf", tarball], folder);
  return join(folder, "package");
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
}

async function checksums(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  return lines.join("");
}

if (import.meta.main) {
  const folder = join(ROOT, "dist", "release");
  await release(folder);
  console.error(`released to ${folder}`);
}
