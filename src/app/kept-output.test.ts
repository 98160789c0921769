// Without a session, kept output is private, stays inside its folder, and is removed at the end.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { keptOutput } from "./kept-output.ts";

test.each(["call_1", "../../outside", "/tmp/outside", "..", "a\0b", "x".repeat(5000), ""])(
  "a call's id of %j stays inside the folder",
  async (name) => {
    const kept = keptOutput(null);
    try {
      const path = await kept.keep(name, "the whole output");
      expect(dirname(path)).toBe(kept.place);
      expect(readFileSync(path, "utf8")).toBe("the whole output");
      expect(statSync(path).mode & 0o777).toBe(0o600);
    } finally {
      kept.remove();
    }
    expect(existsSync(kept.place)).toBe(false);
  },
);
