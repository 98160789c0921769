import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { extractEmbedded, extractFile, extractionPlaces } from "./embedded-file.ts";

const folder = mkdtempSync(join(tmpdir(), "embedded-"));
const source = join(folder, "hello");
writeFileSync(source, "#!/bin/sh\necho hello\n");
afterAll(() => rmSync(folder, { recursive: true }));

const place = (name: string) => join(folder, name);
const output = (path: string) => spawnSync(path).stdout.toString();

test("a path on disk is used as it is", async () => {
  expect(await extractEmbedded("hello", source)).toBe(source);
});

test("an extracted program runs, and the second time nothing is written", async () => {
  const first = await extractFile("hello", source, [place("a")]);
  expect(output(first)).toBe("hello\n");
  const { mtimeMs, ino } = statSync(first);
  const second = await extractFile("hello", source, [place("a")]);
  expect([second, statSync(second).mtimeMs, statSync(second).ino]).toEqual([first, mtimeMs, ino]);
  expect(readdirSync(dirname(first))).toEqual(["hello"]);
});

test("a damaged copy is replaced", async () => {
  const path = await extractFile("hello", source, [place("b")]);
  writeFileSync(path, "#!/bin/sh\necho evil\n");
  expect(output(await extractFile("hello", source, [place("b")]))).toBe("hello\n");
});

test("when a place can't be used the next one is, and when none can the reasons are told", async () => {
  writeFileSync(place("file"), "in the way");
  expect(await extractFile("hello", source, [place("file"), place("c")])).toStartWith(place("c"));
  expect(extractFile("hello", source, [place("file")])).rejects.toThrow(/could not be extracted: .*file/);
});

test("a folder that others can write to is refused", async () => {
  mkdirSync(place("e"));
  chmodSync(place("e"), 0o777);
  expect(extractFile("hello", source, [place("e")])).rejects.toThrow(/other users/);
});

test("twenty at once give one whole program", async () => {
  const paths = await Promise.all(
    Array.from({ length: 20 }, () => extractFile("hello", source, [place("f")])),
  );
  expect(new Set(paths).size).toBe(1);
  expect(output(paths[0] ?? "")).toBe("hello\n");
});

test("a relative XDG_CACHE_HOME is ignored", () => {
  expect(extractionPlaces({ XDG_CACHE_HOME: "/x", HOME: "/h" })[0]).toBe("/x/tunacode/bin");
  expect(extractionPlaces({ XDG_CACHE_HOME: "x", HOME: "/h" })[0]).toBe("/h/.cache/tunacode/bin");
});
