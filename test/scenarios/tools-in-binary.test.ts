// What the tools need besides code (ripgrep, a worker, a watcher) is inside the binary: a copy of it, alone in an
// empty folder, does everything.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../scripts/build.ts";

const home = mkdtempSync(join(tmpdir(), "tools-binary-"));
const binary = join(home, "host");
const folder = join(home, "work");

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "needle\n");
  await compile(join(import.meta.dir, "..", "support", "tool-host.ts"), binary);
}, 30_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(tool: string, args: object, env: Record<string, string> = {}): string {
  const environment = { HOME: home, PATH: "/usr/bin:/bin", ...env };
  const { stdout, stderr } = spawnSync(binary, [tool, JSON.stringify(args)], {
    cwd: folder,
    env: environment,
  });
  return `${stdout}${stderr}`.trim();
}

test("ripgrep is extracted to the cache once, and searches", () => {
  expect(run("grep", { pattern: "needle" })).toBe("a.txt\n  1: needle");
  const path = run("ripgrep-path", {});
  expect(path).toMatch(new RegExp(`^${home}/\\.cache/tunacode/bin/[0-9a-f]{64}/rg$`));
  expect(run("ripgrep-path", {})).toBe(path);
  expect(readdirSync(join(path, ".."))).toEqual(["rg"]);
});

test("a damaged copy of ripgrep is replaced", () => {
  const path = run("ripgrep-path", {});
  writeFileSync(path, "#!/bin/sh\necho evil\n");
  expect(run("grep", { pattern: "needle" })).toBe("a.txt\n  1: needle");
});

test("where the cache can't be used, the temporary folder is", () => {
  const temporary = join(home, "tmp");
  mkdirSync(temporary);
  const blocked = join(home, "blocked");
  writeFileSync(blocked, "a file in the way");
  const env = { XDG_CACHE_HOME: blocked, TMPDIR: temporary };
  expect(run("ripgrep-path", {}, env)).toStartWith(`${temporary}/tunacode-`);
  expect(run("grep", { pattern: "needle" }, env)).toBe("a.txt\n  1: needle");
});

test("where neither can be used, the one on the PATH is, and without one the reason is told", () => {
  const blocked = join(home, "blocked2");
  writeFileSync(blocked, "a file in the way");
  const env = { XDG_CACHE_HOME: blocked, TMPDIR: blocked };
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "rg"), "#!/bin/sh\n");
  chmodSync(join(bin, "rg"), 0o755);
  expect(run("ripgrep-path", {}, { ...env, PATH: `${bin}:/usr/bin` })).toBe(join(bin, "rg"));
  expect(run("grep", { pattern: "x" }, { ...env, PATH: "/no/such/folder" })).toContain(
    "Searching needs ripgrep",
  );
});

test("HTML is converted in the worker", () => {
  expect(run("html", { html: "<h1>Title</h1><p>text", baseUrl: "https://x.test/" })).toBe("# Title\n\ntext");
});

test("bash runs and ends what it started", () => {
  expect(run("bash", { command: "sleep 60 & echo up" })).toMatch(
    /^up\n\[Exit code 0.*\n\[1 process was still/,
  );
});
