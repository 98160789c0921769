// The debug log has lines that parse and no keys, is private, and never exceeds twice its limit.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "./log.ts";
import { createMask } from "./secrets.ts";

test("writes masked JSON lines and rotates", () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-log-"));
  const log = openLog(join(folder, "log"), {
    mask: createMask(["sk-secret-key"]),
    now: () => new Date(0),
    mostBytes: 200,
  });
  log.write({ message: "a key: sk-secret-key", error: new Error("broken") });
  const [line = ""] = readFileSync(log.path, "utf8").split("\n");
  expect(JSON.parse(line)).toMatchObject({ at: "1970-01-01T00:00:00.000Z", message: "a key: [key hidden]" });
  expect(JSON.parse(line).error).toContain("broken");
  expect(statSync(log.path).mode & 0o777).toBe(0o600);
  for (let count = 0; count < 20; count++) log.write({ count });
  log.close();
  for (const name of ["tunacode.jsonl", "tunacode.1.jsonl"])
    expect(statSync(join(folder, "log", name)).size).toBeLessThanOrEqual(200);
  expect(readFileSync(log.path, "utf8").trimEnd().split("\n").at(-1)).toContain('"count":19');
  rmSync(folder, { recursive: true });
});
