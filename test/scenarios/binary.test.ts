// The binary alone in an empty folder: what it prints about itself, and that the folder can't configure it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { type CopiedBinary, copyBinary } from "../support/binary.ts";

setDefaultTimeout(60_000);

let binary: CopiedBinary;
beforeAll(async () => {
  binary = await copyBinary();
}, 60_000);
afterAll(() => binary.remove());

test("--version prints the version of package.json and nothing else", () => {
  expect(binary.run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("--help names the program, its version and its options on stdout", () => {
  const { code, stdout, stderr } = binary.run(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const word of ["tunacode", version, "--version", "--help"]) expect(stdout).toContain(word);
});

test("a misspelled command or option is a usage error that names it and what to try", () => {
  for (const word of ["sesions", "--frobnicate"]) {
    const { code, stdout, stderr } = binary.run([word]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(JSON.stringify(word));
    expect(stderr).toContain("tunacode --help");
  }
});

test("the folder it runs in can't preload code into it", () => {
  writeFileSync(join(binary.folder, "bunfig.toml"), 'preload = ["./intruder.ts"]\n');
  writeFileSync(join(binary.folder, "intruder.ts"), 'console.log("intruder");\n');
  expect(binary.run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("a short run is interpreted: compiling code that runs once costs more than it saves", () => {
  const { code, stdout, stderr } = binary.run(["permit", "ls"], { BUN_JSC_reportBaselineCompileTimes: "1" });
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).not.toContain("Optimized");
});
