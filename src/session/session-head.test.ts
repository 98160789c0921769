import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSessionHead } from "./session-head.ts";

test.skipIf(process.platform === "win32")("a pipe in the place of a session is not waited for", () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-head-"));
  try {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    // The list goes on without it.
    expect(() => readSessionHead(join(folder, "pipe"))).toThrow("ESPIPE");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
