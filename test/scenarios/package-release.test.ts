// A whole release: every platform's binary is for that platform and contains its ripgrep. It needs the registry and
// takes minutes, so it runs only in the long mode.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { PLATFORMS, platformName } from "../../scripts/packages.ts";
import { release } from "../../scripts/release.ts";
import { executableFor, isSignedForMac, programsIn } from "../support/executable-header.ts";

describe.skipIf(process.env["TUNACODE_LONG"] !== "1")("a release", () => {
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tunacode-release-test-"));
    await release(folder);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const platform of PLATFORMS) {
    const name = platformName(platform);
    test(`${name} is a program for it, with a ripgrep for it inside`, () => {
      const program = readFileSync(join(folder, `tunacode-${version}-${name}`));
      expect(executableFor(program)).toBe(name);
      expect(programsIn(program).filter((machine) => machine === name).length).toBeGreaterThan(1);
      expect(program.includes("RIPGREP_CONFIG_PATH")).toBe(true);
      if (platform.os === "darwin") expect(isSignedForMac(program)).toBe(true);
    });
  }

  test("there is a checksum for every file", () => {
    const lines = readFileSync(join(folder, "SHA256SUMS"), "utf8").trimEnd().split("\n");
    const names = readdirSync(folder).filter((name) => name !== "SHA256SUMS");
    expect(lines.map((line) => line.slice(66)).sort()).toEqual(names.sort());
    expect(names.length).toBe(2 * PLATFORMS.length + 1);
    for (const line of lines) {
      const bytes = readFileSync(join(folder, line.slice(66)));
      expect(line.slice(0, 64)).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });
});
