// Whatever a path leads to, only a plain file inside the folder is read, and nothing makes us wait.
import { afterAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type PlainFile, readPlainFile } from "./plain-file.ts";

const LAYOUTS = process.env["TUNACODE_LONG"] === undefined ? 300 : 20_000;
const SWAPS = process.env["TUNACODE_LONG"] === undefined ? 200 : 20_000;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-plain-")));
const root = join(folder, "project");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(root, "a/b"), { recursive: true });
mkdirSync(join(folder, "project-two"));
for (const path of ["project/in.md", "project/a/b/deep.md"]) writeFileSync(join(folder, path), "inside");
for (const path of ["secret", "project-two/x.md"]) writeFileSync(join(folder, path), "SECRET");
writeFileSync(join(root, "large.md"), "x".repeat(2_000));
execFileSync("mkfifo", [join(root, "pipe")]);
const server = createServer().listen(join(root, "socket"));
afterAll(() => server.close());

const read = (path: string): Promise<PlainFile> => readPlainFile(path, { mostBytes: 1_000, inside: root });

test.each([
  ["in.md", "read"],
  ["a/../in.md", "read"],
  ["none.md", "missing"],
  ["in.md/none.md", "missing"],
  ["large.md", "has more than 1000 bytes"],
  ["a", "is not a plain file"],
  ["pipe", "is not a plain file"],
  ["socket", "is not a plain file"],
  ["../secret", "leads out of the project"],
])("%s: %s", async (path, expected) => {
  const file = await read(join(root, path));
  expect(file.type === "refused" ? file.why : file.type).toBe(expected);
});

test("without a folder to be in, files without an end are still bounded", async () => {
  for (const path of ["/dev/zero", "/dev/tty", join(root, "pipe")])
    expect(await readPlainFile(path, { mostBytes: 1_000 })).toMatchObject({ type: "refused" });
});

/** Links to everything, through each other, with `..` and absolute paths; which ones are inside is known by hand. */
test("generated links never lead out, and those that stay inside work", async () => {
  const INSIDE = ["in.md", "a/b/deep.md", "a/b/../../in.md", "./a/./b/deep.md"];
  const OUTSIDE = [
    "../secret",
    "a/../../secret",
    join(folder, "secret"),
    "../project-two/x.md",
    "/proc/self/environ",
    "/proc/self/cwd/package.json",
    "/dev/zero",
    "/dev/stdin",
    "pipe",
    "socket",
    "a",
    "large.md",
    "gone",
    "..",
  ];
  let seed = 16;
  const random = (count: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * count);
  };
  const counts = { read: 0, refused: 0 };
  for (let index = 0; index < LAYOUTS; index++) {
    const isInside = random(2) === 0;
    const targets = isInside ? INSIDE : OUTSIDE;
    let target = targets[random(targets.length)] ?? "";
    // A chain of links, each in the top folder or one below, relative or absolute.
    for (let hop = 0; hop <= random(4); hop++) {
      const name = `link-${index}-${hop}`;
      symlinkSync(target, join(root, name));
      target = [name, `a/../${name}`, join(root, name)][random(3)] ?? name;
    }
    const file = await read(resolve(root, target));
    expect([target, file.type === "read" ? file.bytes.toString() : file.type]).toEqual([
      target,
      isInside ? "inside" : "refused",
    ]);
    counts[isInside ? "read" : "refused"]++;
  }
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(LAYOUTS / 4);
}, 60_000);

test("a link that is swapped all the time never gets a secret through", async () => {
  const link = join(root, "swapped.md");
  const swapper = Bun.spawn([
    "sh",
    "-c",
    `cd "${root}" && while :; do ln -sfn ../secret t1 && mv -fT t1 swapped.md; ln -sfn in.md t2 && mv -fT t2 swapped.md; done`,
  ]);
  try {
    const seen = new Set<string>();
    for (let index = 0; index < SWAPS || !(seen.has("inside") && seen.has("refused")); index++) {
      const file = await read(link);
      seen.add(file.type === "read" ? file.bytes.toString() : file.type);
    }
    expect(seen.has("SECRET")).toBe(false);
  } finally {
    swapper.kill();
    await swapper.exited;
  }
});
