// Trust covers a real folder and everything in it, and nothing else.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { configuredProject } from "../../test/support/configured-project.ts";
import { distrustFolder, trustFolder } from "./trust.ts";
import { trustListPath, trustOf } from "./trust-list.ts";

const place = configuredProject();
const isTrusted = async (...asked: Parameters<typeof trustOf>) => (await trustOf(...asked)) !== null;
afterAll(() => place.remove());

test("a folder is trusted with everything in it, until trust is withdrawn", async () => {
  const { env, root, home } = place;
  for (const folder of ["project/inner", "project-two"]) mkdirSync(join(home, folder));
  symlinkSync(join(home, "project-two"), join(root, "link"));
  expect(await isTrusted(env, root)).toBe(false);
  await trustFolder(env, root);
  await trustFolder(env, root);
  expect(await isTrusted(env, root)).toBe(true);
  expect(await isTrusted(env, join(root, "inner"))).toBe(true);
  expect(await isTrusted(env, home)).toBe(false);
  expect(await isTrusted(env, join(home, "project-two"))).toBe(false);
  expect(await isTrusted(env, join(root, "link"))).toBe(false);
  expect(statSync(trustListPath(env)).mode & 0o777).toBe(0o600);
  expect(await distrustFolder(env, root)).toBe(true);
  expect(await distrustFolder(env, root)).toBe(false);
  expect(await isTrusted(env, root)).toBe(false);
});

test("a damaged list trusts nothing", async () => {
  for (const content of ["", "{", "[]", '{"folders": "x"}', '{"folders": [1]}']) {
    place.write(".config/tunacode/trusted-folders.json", content);
    expect(await isTrusted(place.env, place.root)).toBe(false);
  }
});

test("an error about a list that can't be written names its path", async () => {
  // A file is in the way, so the folder can't be created.
  const env = { HOME: "/", XDG_CONFIG_HOME: process.execPath };
  expect(trustFolder(env, "/p")).rejects.toThrow(/trusted-folders\.json can't be written: /);
});
