// Writes the npm packages as folders: a main one with the library and a launcher, one per platform with the binary.
import { chmodSync, constants, copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { description, license, version } from "../package.json";
import { ROOT, runProgram } from "./build.ts";
import { LIBRARY } from "./sdk.ts";

/** Named like process.platform and process.arch. */
export interface Platform {
  readonly os: "linux" | "darwin";
  readonly cpu: "x64" | "arm64";
}

/** The platforms we build binaries for. */
export const PLATFORMS: readonly Platform[] = (["linux", "darwin"] as const).flatMap((os) =>
  (["x64", "arm64"] as const).map((cpu) => ({ os, cpu })),
);

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
    ...(os === "linux" && { libc: ["glibc"] }),
    preferUnplugged: true,
  });
}

/** Creates the tarball and returns its path. */
export function pack(folder: string, destination: string): string {
  mkdirSync(destination, { recursive: true });
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", destination];
  return join(destination, runProgram("npm", args, folder).trim().split("\n").at(-1) ?? "");
}

export function platformName({ os, cpu }: Platform): string {
  return `${os}-${cpu}`;
}

export function platformHere(): Platform {
  const here = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (here === undefined) throw new Error(`There is no package for ${process.platform}-${process.arch}.`);
  return here;
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
