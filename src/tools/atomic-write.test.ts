// The last check before a file is replaced, and what is left behind when it fails.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { createFileTools, type FileTools } from "../../test/support/file-tools.ts";
import { writeAtomically } from "./atomic-write.ts";

let project: FileTools;
const signal = new AbortController().signal;
const content = [Buffer.from("new")];

beforeEach(async () => {
  project = await createFileTools();
});
afterEach(async () => {
  await project[Symbol.asyncDispose]();
});

async function attempt(before: Parameters<typeof writeAtomically>[2]): Promise<unknown> {
  return writeAtomically(project.path("file"), content, before, signal).catch((error) => error.message);
}

test("a file that changed during the edit is not overwritten", async () => {
  await project.put("file", "old");
  const before = await stat(project.path("file"), { bigint: true });
  await writeFile(project.path("file"), "somebody's");
  expect(await attempt(before)).toContain("changed during the edit");
  expect((await project.bytes("file")).toString()).toBe("somebody's");
  expect(await readdir(project.root)).toEqual(["file"]);
});

test("a file that was deleted during the edit stays deleted", async () => {
  await project.put("file", "old");
  const before = await stat(project.path("file"), { bigint: true });
  await rm(project.path("file"));
  expect(await attempt(before)).toContain("no such file");
  expect(await readdir(project.root)).toEqual([]);
});

test("a file that somebody else has just created is not replaced", async () => {
  await project.put("file", "somebody's");
  expect(await attempt(null)).toContain("created by somebody else");
  expect(await readdir(project.root)).toEqual(["file"]);
});

test("pieces of any size are written in order", async () => {
  const pieces = [
    Buffer.alloc(3_000_000, "a"),
    Buffer.alloc(0),
    Buffer.from("b"),
    Buffer.alloc(1_048_577, "c"),
  ];
  expect(await writeAtomically(project.path("file"), pieces, null, signal)).toEqual([]);
  expect((await project.bytes("file")).equals(Buffer.concat(pieces))).toBe(true);
});
