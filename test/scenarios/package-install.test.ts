// The npm packages, installed from their tarballs without a network: the command on the PATH is the binary itself.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { version } from "../../package.json";
import { BINARY, buildIfStale } from "../../scripts/build.ts";
import {
  platformHere,
  platformName,
  writeMainPackage,
  writePlatformPackage,
} from "../../scripts/packages.ts";
import { buildLibraryIfStale } from "../../scripts/sdk.ts";
import type { Ended } from "../support/binary.ts";
import { startBinary } from "../support/running-binary.ts";

let folder = "";
beforeAll(async () => {
  await buildIfStale();
  await buildLibraryIfStale();
  folder = mkdtempSync(join(tmpdir(), "tunacode-package-"));
  writeMainPackage(main());
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces the binary in tests that only check how it is found. */
const SMALL_PROGRAM = `#!/bin/sh
if [ "$1" = wait ]; then
  sleep 30 &
  trap 'kill $!; exit 130' TERM
fi
echo "small $*"
[ "$1" != wait ] || wait
exit 7
`;

test("installed by npm, the command is the binary, and it works", () => {
  const prefix = install(BINARY);
  const command = join(prefix, "bin", "tunacode");
  expect(statSync(command).ino).toBe(statSync(nativePath(prefix)).ino);
  expect(run(command, ["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  expect(run(command, ["demo"]).code).toBe(0);
}, 60_000);

test("without install scripts the first start does what the script would have done", () => {
  const prefix = install(smallProgram(), ["--ignore-scripts"]);
  const command = join(prefix, "bin", "tunacode");
  expect(readFileSync(command, "utf8")).toStartWith("#!/usr/bin/env node");
  const ended = { code: 7, stdout: "small one two words\n", stderr: "" };
  expect(run(command, ["one", "two words"])).toEqual(ended);
  expect(statSync(command).ino).toBe(statSync(nativePath(prefix)).ino);
  expect(run(command, ["one", "two words"])).toEqual(ended);
}, 60_000);

test("started by node, the launcher is not replaced and passes on signals and exit codes", async () => {
  const prefix = install(smallProgram(), ["--ignore-scripts"]);
  const launcher = join(prefix, "lib", "node_modules", "tunacode", "bin", "tunacode");
  const env = { PATH: process.env["PATH"] ?? "" };
  const waiting = startBinary("node", [launcher, "wait"], { cwd: folder, env });
  await waiting.printed("small wait");
  waiting.child.kill("SIGTERM");
  expect((await waiting.ended).code).toBe(130);
  expect(readFileSync(launcher, "utf8")).toStartWith("#!/usr/bin/env node");
}, 60_000);

test("without the platform's package it says what is missing", () => {
  const prefix = install(null);
  const { code, stderr } = run(join(prefix, "bin", "tunacode"), ["--version"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`the package @tunacode/${platformName(platformHere())} is missing`);
  expect(stderr).not.toContain("    at ");
}, 60_000);

test("the main package is small, complete, and free of development files", () => {
  const { stdout } = npm(["pack", "--dry-run", "--json"], main());
  const [{ files, size }] = Object.values(JSON.parse(stdout)) as [
    { files: { path: string }[]; size: number },
  ];
  const paths = files.map(({ path }) => path);
  for (const path of [
    "README.md",
    "LICENSE",
    "bin/tunacode",
    "bin/place.cjs",
    "dist/sdk.js",
    "dist/sdk.d.ts",
  ])
    expect(paths).toContain(path);
  expect(paths.filter((path) => /^(?:src|test|node_modules)\/|\.test\./.test(path))).toEqual([]);
  expect(size).toBeLessThan(2_000_000);
}, 60_000);

/** A global install with its own prefix; null if the platform's package is not available. */
function install(binary: string | null, flags: readonly string[] = []): string {
  const prefix = mkdtempSync(join(folder, "prefix-"));
  const tarballs = [tarball(main())];
  if (binary !== null) {
    const native = join(mkdtempSync(join(folder, "native-")), "package");
    writePlatformPackage(native, platformHere(), binary);
    tarballs.push(tarball(native));
  }
  const { code, stderr } = npm(
    ["install", "--global", "--offline", "--prefix", prefix, ...flags, ...tarballs],
    folder,
  );
  expect({ code, problem: code === 0 ? "" : stderr }).toEqual({ code: 0, problem: "" });
  expect(lstatSync(join(prefix, "bin", "tunacode")).isSymbolicLink()).toBe(true);
  expect(existsSync(nativePath(prefix))).toBe(binary !== null);
  return prefix;
}

/** A tarball contains everything in a folder of this name. */
function main(): string {
  return join(folder, "main", "package");
}

/** Packs like npm, but without compression, which would take most of the time. */
function tarball(source: string): string {
  const path = join(mkdtempSync(join(folder, "tarball-")), "package.tgz");
  expect(spawnSync("tar", ["-cf", path, "-C", dirname(source), "package"]).status).toBe(0);
  return path;
}

function smallProgram(): string {
  const path = join(folder, "small-program");
  writeFileSync(path, SMALL_PROGRAM);
  chmodSync(path, 0o755);
  return path;
}

function nativePath(prefix: string): string {
  const name = platformName(platformHere());
  return join(prefix, "lib", "node_modules", "@tunacode", name, "bin", "tunacode");
}

function npm(args: readonly string[], cwd: string): Ended {
  return run("npm", ["--no-audit", "--no-fund", "--no-update-notifier", ...args], cwd);
}

function run(command: string, args: readonly string[], cwd = folder): Ended {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: status, stdout, stderr };
}
