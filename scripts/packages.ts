// Writes the npm packages as folders: a main one with the library and a launcher, one per platform with the binary.
import { spawnSync } from "node:child_process";
import { chmodSync, constants, copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { description, license, version } from "../package.json";
import { ROOT } from "./build.ts";
import { PLATFORMS, type Platform, platformName } from "./platforms.ts";
import { LIBRARY } from "./sdk.ts";

const SHARED = { version, license, description };

/** Needs the library to be built. */
export function writeMainPackage(folder: string): void {
  renew(folder);
  cpSync(join(ROOT, "packages", "tunacode"), folder, { recursive: true });
  for (const name of ["README.md", "LICENSE"]) cpSync(join(ROOT, name), join(folder, name));
  for (const name of ["sdk", "sdk.js", "sdk.d.ts"])
    cpSync(join(LIBRARY, name), join(folder, "dist", name), { recursive: true });
  writeManifest(folder, {
    name: "tunacode",
    ...SHARED,
    type: "module",
    engines: { node: ">=20" },
    bin: { tunacode: "bin/tunacode" },
    exports: { ".": { types: "./dist/sdk.d.ts", default: "./dist/sdk.js" } },
    scripts: { postinstall: "node bin/place.cjs" },
    optionalDependencies: Object.fromEntries(PLATFORMS.map((platform) => [packageName(platform), version])),
    // The library's search tools and its sandbox use these if they are installed.
    peerDependencies: { "@vscode/ripgrep": "*", "@anthropic-ai/sandbox-runtime": "*" },
    peerDependenciesMeta: {
      "@vscode/ripgrep": { optional: true },
      "@anthropic-ai/sandbox-runtime": { optional: true },
    },
  });
}

export function writePlatformPackage(folder: string, platform: Platform, binary: string): void {
  renew(folder);
  mkdirSync(join(folder, "bin"));
  const target = join(folder, "bin", "tunacode");
  copyFileSync(binary, target, constants.COPYFILE_FICLONE);
  chmodSync(target, 0o755);
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  const { os, cpu } = platform;
  writeFileSync(
    join(folder, "README.md"),
    `The binary of [tunacode](https://www.npmjs.com/package/tunacode) for ${os} on ${cpu}.\n`,
  );
  writeManifest(folder, {
    name: packageName(platform),
    ...SHARED,
    os: [os],
    cpu: [cpu],
    ...(os === "linux" ? { libc: ["glibc"] } : {}),
    preferUnplugged: true,
  });
}

/** Creates the tarball and returns its path. */
export function pack(folder: string, destination: string): string {
  mkdirSync(destination, { recursive: true });
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", destination];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm pack failed in ${folder}:\n${stderr}`);
  return join(destination, stdout.trim().split("\n").at(-1) ?? "");
}

function packageName(platform: Platform): string {
  return `@tunacode/${platformName(platform)}`;
}

function renew(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

function writeManifest(folder: string, manifest: Readonly<Record<string, unknown>>): void {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
