import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { compileParameters, PARAMETERS_FILE } from "../../scripts/compile-parameters.ts";

test("what models are told about arguments is what the schemas check", () => {
  expect(readFileSync(PARAMETERS_FILE, "utf8")).toBe(compileParameters());
});
