// Runs every check: format and lint, types, the build, all tests. Shows their output as it arrives and ends with one
// line, `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Score {
  readonly passed: number;
  readonly failed: number;
}

const ROOT = join(import.meta.dir, "..");

const scores = [
  runStep("format and lint", tool("biome"), ["check", "."]),
  runStep("types", tool("tsc"), ["--noEmit"]),
  runStep("build", process.execPath, ["scripts/build.ts"]),
  ...["src", "test"].map(runTests),
];
const passed = scores.reduce((sum, score) => sum + score.passed, 0);
const failed = scores.reduce((sum, score) => sum + score.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** A step is counted as one test. */
function runStep(name: string, command: string, args: readonly string[]): Score {
  return run(name, command, args) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function runTests(folder: string): Score {
  const reports = mkdtempSync(join(tmpdir(), "tunacode-test-"));
  const report = join(reports, "report.xml");
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const succeeded = run(`tests in ${folder}`, process.execPath, ["test", ...reporter, `./${folder}`]);
  const { passed, failed } = readReport(report);
  rmSync(reports, { recursive: true });
  // A crash or an error between tests fails the run without failing a test.
  return { passed, failed: failed === 0 && !succeeded ? 1 : failed };
}

function run(name: string, command: string, args: readonly string[]): boolean {
  console.log(`\n== ${name}`);
  const { status, signal, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status === 0) return true;
  console.log(
    `${name}: ${error?.message ?? (signal === null ? `exit code ${status}` : `killed by ${signal}`)}`,
  );
  return false;
}

function readReport(path: string): Score {
  const summary = existsSync(path) ? /<testsuites\b[^>]*>/.exec(readFileSync(path, "utf8"))?.[0] : undefined;
  const count = (name: string) => Number(summary?.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? 0);
  const failed = count("failures") + count("errors");
  return { passed: count("tests") - count("skipped") - failed, failed };
}

function tool(name: string): string {
  return join(ROOT, "node_modules", ".bin", name);
}
