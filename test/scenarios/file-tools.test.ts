// The three file tools, with everything that can be wrong with a path, a file or the timing.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { chmod, link, lstat, mkdir, open, readdir, stat, symlink, truncate, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { checkArguments } from "../../src/dispatch/check-arguments.ts";
import { UserAbortError } from "../../src/domain/error.ts";
import { createFileTools, type FileTools, type Outcome } from "../support/file-tools.ts";
import { GIF, JPEG, PNG, WEBP_ALPHA } from "../support/small-images.ts";
import { toolContext } from "../support/tool-context.ts";

let project: FileTools;

beforeEach(async () => {
  project = await createFileTools();
});
afterEach(async () => {
  await project[Symbol.asyncDispose]();
});

type Call = (filepath: string, signal?: AbortSignal) => Promise<Outcome>;

/** Each tool with arguments that would do on a file that holds "one". */
const calls: Record<string, Call> = {
  read_file: (filepath, signal) => project.read({ filepath }, signal),
  write_file: (filepath, signal) => project.write({ filepath, content: "two" }, signal),
  update_file: (filepath, signal) => project.update({ filepath, old_text: "one", new_text: "two" }, signal),
};

async function text(name: string): Promise<string> {
  return (await project.bytes(name)).toString("utf8");
}

async function names(): Promise<string[]> {
  return (await readdir(project.root)).toSorted();
}

describe.each(Object.entries(calls))("%s", (name, call) => {
  test.each([
    [{}],
    [{ filepath: 7 }],
    [{ filepath: "" }],
    [{ filepath: null }],
    [{ filepath: "a", content: 1, old_text: 1, offset: "x" }],
    [{ filepath: "a", limit: 0, content: null, old_text: null }],
  ] as JsonObject[][])("says what is wrong with the arguments %j", async (args) => {
    const tool = project.tools.find((each) => each.name === name);
    const checked = tool && checkArguments(tool, args ?? {});
    expect(checked).toEqual({
      ok: false,
      problem: expect.stringMatching(/filepath|content|text|offset|limit/),
    });
  });

  test("has a deadline", () => {
    expect(project.tools.find((each) => each.name === name)?.deadlineMs).toBeGreaterThan(0);
  });

  test("is told about a directory", async () => {
    await mkdir(project.path("folder"));
    expect(await call("folder")).toEqual({
      failed: true,
      text: "folder is a directory. Use list_dir to see what is in it.",
    });
  });

  test("does not wait for a pipe or a device", async () => {
    expect((await call("/dev/zero")).text).toContain("isn't a regular file");
    const made = spawn("mkfifo", [project.path("pipe")]);
    await new Promise((resolve) => made.once("exit", resolve));
    expect((await call("pipe")).text).toContain("isn't a regular file");
  });

  test("explains a link that points to itself", async () => {
    await symlink("loop", project.path("loop"));
    expect(await call("loop")).toEqual({
      failed: true,
      text: "loop is a symbolic link that points back to itself.",
    });
  });

  test("is told about a path through a file", async () => {
    await project.put("file", "one");
    const outcome = await call("file/inside");
    expect(outcome.failed).toBe(true);
    expect(outcome.text).toContain("not a directory");
  });

  test("is told about a path that can't be one", async () => {
    expect((await call("a\0b")).text).toContain("NUL");
    expect((await call("x".repeat(5_000))).text).toContain("too long");
  });

  test.each(["with space.txt", "grüße 世界 😀.txt", "-dash", "quo\"te's", "a;b&c$d", "new\nline"])(
    "takes the name %j",
    async (file) => {
      await project.put(file, "one");
      await project.read({ filepath: file });
      const outcome = await call(file);
      expect(outcome.failed).toBe(false);
      expect(await text(file)).toBe(name === "read_file" ? "one" : "two");
    },
  );

  test("takes paths relative to the working directory, absolute, and outside the project", async () => {
    await using outside = await createFileTools();
    await project.put("sub/file", "one");
    project.workspace.setCwd(project.path("sub"));
    await outside.put("file", "one");
    const away = relative(project.path("sub"), outside.path("file"));
    for (const path of ["file", away]) {
      await project.read({ filepath: path });
      const outcome = await call(path);
      expect(outcome.failed).toBe(false);
    }
    if (name !== "read_file") expect(await outside.bytes("file")).toEqual(Buffer.from("two"));
  });

  test("an abort before it begins changes nothing", async () => {
    await project.put("file", "one");
    await project.read({ filepath: "file" });
    const reason = new UserAbortError();
    expect(call("file", AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await text("file")).toBe("one");
    expect(await names()).toEqual(["file"]);
  });

  test("an abort at any moment leaves the old or the new file, and nothing else", async () => {
    const old = `one\n${"line\n".repeat(50_000)}`;
    const reason = new UserAbortError();
    for (let turns = 0; turns < 24; turns++) {
      await project.put("file", old);
      await project.read({ filepath: "file" });
      const abort = new AbortController();
      const running = call("file", abort.signal).then(
        () => "done",
        (error) => error,
      );
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      abort.abort(reason);
      const outcome = await running;
      expect(["done", reason]).toContain(outcome);
      const now = await text("file");
      if (outcome === reason) expect(now).toBe(old);
      else if (name !== "read_file") expect(now).toStartWith("two");
      expect(await names()).toEqual(["file"]);
    }
  });
});

describe("a missing file", () => {
  test.each(["read_file", "update_file"])("is reported by %s with similar names", async (name) => {
    await project.put("src/Config.ts", "");
    await project.put("src/confg.ts", "");
    await project.put("src/other.ts", "");
    const outcome = await calls[name]?.("src/config.ts");
    expect(outcome).toEqual({
      failed: true,
      text: "src/config.ts doesn't exist. Did you mean: src/Config.ts, src/confg.ts?",
    });
    expect((await calls[name]?.("src/zebra/crossing.ts"))?.text).toBe(
      "src/zebra/crossing.ts doesn't exist. Its path exists up to src. Use list_dir or glob to find it.",
    );
    expect((await calls[name]?.("zoo/zebra.ts"))?.text).toContain("exists up to the working directory. Use");
  });

  test("a name in another form of Unicode is suggested", async () => {
    await project.put("Bild\u202f1.txt".normalize("NFC"), "");
    expect((await project.read({ filepath: "Bild 1.txt" })).text).toContain("Did you mean: Bild\u202f1.txt");
  });

  test("~ is the home directory", async () => {
    const missing = join(homedir(), "no-such-file-of-tunacode");
    expect((await project.read({ filepath: "~/no-such-file-of-tunacode" })).text).toStartWith(
      `${missing} doesn't exist`,
    );
  });
});

describe("a file of 100 MB", () => {
  const LINE = `${"0123456789".repeat(10)}\n`;

  test("is read at both ends and in the middle, and edited exactly", async () => {
    await writeLarge("large", 1_000_000);
    expect((await project.read({ filepath: "large", limit: 2 })).text).toBe(
      `1\t${LINE}2\t${LINE}\n[Lines 1-2 of a file of 101.0 MB. Go on with offset 3.]`,
    );
    const middle = await project.read({ filepath: "large", offset: 500_001, limit: 1 });
    expect(middle.text).toStartWith(`500001\tMIDDLE`);
    const end = await project.read({ filepath: "large", offset: -2 });
    expect(end.text).toBe(`-2\t${LINE}-1\t${LINE.trimEnd()}`);
    expect((await project.read({ filepath: "large", offset: 2_000_000 })).text).toContain(
      "has 1000000 lines",
    );

    const edited = await project.update({ filepath: "large", old_text: "MIDDLE", new_text: "middle" });
    expect(edited.text).toContain("@@ -499998,7 +499998,7 @@");
    expect((await stat(project.path("large"))).size).toBe(101_000_000);
    expect((await project.read({ filepath: "large", offset: 500_001, limit: 1 })).text).toStartWith(
      `500001\tmiddle`,
    );
    const missed = await project.update({ filepath: "large", old_text: "MIDDLE", new_text: "x" });
    expect(missed.text).toContain("only searched for the exact text");
    expect((await project.write({ filepath: "large", content: "small\n" })).text).toContain(
      "1000000 lines became 1",
    );
    expect(await text("large")).toBe("small\n");
  }, 30_000);

  test("one endless line is cut, in constant memory", async () => {
    const handle = await open(project.path("endless"), "w");
    for (let block = 0; block < 100; block++) await handle.write("x".repeat(1_000_000));
    await handle.close();
    const before = process.memoryUsage().rss;
    const outcome = await project.read({ filepath: "endless" });
    expect(outcome.text).toBe(`1\t${"x".repeat(2_000)} [cut; the line has 100.0 MB]`);
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  }, 30_000);

  test("a deadline stops a read that would take long", async () => {
    await project.put("sparse", "text\n".repeat(20_000));
    await truncate(project.path("sparse"), 50_000_000_000);
    const deadline = AbortSignal.timeout(100);
    const started = performance.now();
    const outcome = project.read({ filepath: "sparse", offset: 1_000_000 }, deadline);
    expect(await outcome.catch((error) => error)).toBe(deadline.reason);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  async function writeLarge(name: string, lines: number): Promise<void> {
    const handle = await open(project.path(name), "w");
    const block = LINE.repeat(10_000);
    for (let written = 0; written < lines; written += 10_000) await handle.write(block);
    await handle.write(`MIDDLE${LINE.slice(6)}`, (lines / 2) * LINE.length);
    await handle.close();
  }
});

describe("read_file", () => {
  async function read(content: string | Buffer, more: JsonObject = {}): Promise<string> {
    await project.put("file", content);
    return (await project.read({ filepath: "file", ...more })).text;
  }
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

  test("an empty file", async () => expect(await read("")).toBe("[file is empty.]"));
  test("lines with their numbers", async () => expect(await read("a\n\nb\n")).toBe("1\ta\n2\t\n3\tb"));
  test("a last line without an end", async () => expect(await read("a\nb")).toBe("1\ta\n2\tb"));
  test("CRLF as plain lines", async () => expect(await read("a\r\nb\r\n")).toBe("1\ta\n2\tb"));
  test("a BOM isn't shown", async () => expect(await read("\uFEFFa\n")).toBe("1\ta"));
  test("a window", async () =>
    expect(await read(numbered(9), { offset: 3, limit: 2 })).toBe(
      "3\tline 3\n4\tline 4\n\n[Lines 3-4 of 9. Go on with offset 5.]",
    ));
  test("the end of a window", async () =>
    expect(await read(numbered(4), { offset: 3 })).toBe(
      "3\tline 3\n4\tline 4\n\n[Lines 3-4, to the end of the file.]",
    ));
  test("offset 0 is the beginning", async () => expect(await read("a\n", { offset: 0 })).toBe("1\ta"));
  test("from the end, with the real line numbers", async () =>
    expect(await read(numbered(9), { offset: -2 })).toBe(
      "8\tline 8\n9\tline 9\n\n[Lines 8-9, to the end of the file.]",
    ));
  test("from the end, more lines than the file has", async () =>
    expect(await read("a\nb\n", { offset: -5 })).toBe("1\ta\n2\tb"));
  test("past the end", async () =>
    expect(await read("a\n", { offset: 5 })).toBe("file has 1 lines; there is no line 5."));
  test("2,000 lines at once", async () =>
    expect(await read(numbered(2_001))).toEndWith(
      "\n2000\tline 2000\n\n[Lines 1-2000 of 2001. Go on with offset 2001.]",
    ));
  test("exactly 2,000 lines", async () => expect(await read(numbered(2_000))).toEndWith("\n2000\tline 2000"));
  test("long lines are cut", async () =>
    expect(await read(`${"é".repeat(2_001)}\nb\n`)).toBe(
      `1\t${"é".repeat(2_000)} [cut; the line has 4.0 kB]\n2\tb`,
    ));
  test("a cut is never inside a character", async () =>
    expect(await read(`x${"😀".repeat(1_000)}`)).toBe(`1\tx${"😀".repeat(999)} [cut; the line has 4.0 kB]`));
  test("a return fits the cap and says where to continue", async () => {
    const shown = await read(`${"x".repeat(1_000)}\n`.repeat(100));
    expect(shown.length).toBeLessThan(50_000);
    expect(shown).toEndWith("[Lines 1-40 of 100. Stopped at 40000 characters. Go on with offset 41.]");
  });
  test("bytes that aren't UTF-8", async () =>
    expect(await read(Buffer.from([0x61, 0xe9, 0x62, 10]))).toBe(
      "1\ta\uFFFDb\n\n[Bytes that aren't valid UTF-8 are shown as \uFFFD.]",
    ));
  test("UTF-16, both ways", async () => {
    const bytes = Buffer.from("\uFEFFgrün 😀\r\nb\r\n", "utf16le");
    expect(await read(bytes)).toBe("1\tgrün 😀\n2\tb");
    expect(await read(Buffer.from(bytes).swap16(), { offset: -1 })).toStartWith("2\tb");
  });
  test("a binary file", async () =>
    expect(await read(Buffer.from([127, 69, 76, 70, 0, 1]))).toBe(
      "file is a binary file of 6 bytes. Use bash (file, xxd, strings) to look inside.",
    ));

  test("the end of a large file is read in parts, counted from the end", async () => {
    await project.put("log", "12345678\n".repeat(1_000_000));
    const first = await project.read({ filepath: "log", offset: -3, limit: 2 });
    expect(first.text).toBe(
      "-3\t12345678\n-2\t12345678\n\n[Lines -3 to -2 from the end of a file of 9.0 MB. Go on with offset -1.]",
    );
    expect((await project.read({ filepath: "log", offset: -1 })).text).toBe("-1\t12345678");
    expect((await project.read({ filepath: "log", offset: -1_000_000, limit: 1 })).text).toStartWith(
      "1\t12345678",
    );
  });

  test("a link is followed", async () => {
    await project.put("real", "a\n");
    await symlink("real", project.path("link"));
    expect((await project.read({ filepath: "link" })).text).toBe("1\ta");
  });

  describe("images", () => {
    test.each([
      ["png", PNG],
      ["gif", GIF],
      ["jpeg", JPEG],
      ["webp", WEBP_ALPHA],
    ] as const)("%s, whatever it is called", async (kind, bytes) => {
      await project.put("picture.txt", bytes);
      const [tool] = project.tools;
      const signal = new AbortController().signal;
      const args = { filepath: "picture.txt", offset: 1, limit: 1 };
      const output = await tool?.execute(args, toolContext({ signal }));
      expect(output).toEqual({
        content: [
          { type: "text", text: `picture.txt: image/${kind}, 1x1 pixels, ${bytes.length} bytes` },
          { type: "image", mediaType: `image/${kind}`, data: bytes.toString("base64") },
        ],
      });
    });

    test("too many bytes or pixels for a vendor", async () => {
      expect(await read(Buffer.concat([PNG, Buffer.alloc(4_000_000)]))).toContain("too large to look at");
      const wide = Buffer.from(PNG);
      wide.writeUInt32BE(9_000, 16);
      expect(await read(wide)).toContain("9000x1 pixels, 70 bytes. That is too large");
    });

    test("a damaged one is not shown", async () => {
      expect(await read(PNG.subarray(0, 60))).toContain("It is damaged or cut off");
      expect(await read(PNG.subarray(0, 18))).toContain("binary file");
      expect(await read(Buffer.from([255, 216, 255, 0, 0, 0]))).toContain("binary file");
    });
  });
});

describe("write_file", () => {
  const write = (content: string, filepath = "file") => project.write({ filepath, content });

  test("creates a file with its directories", async () => {
    expect(await write("a\n", "x/y/z.txt")).toEqual({ failed: false, text: "Created x/y/z.txt (2 bytes)." });
    expect(await text("x/y/z.txt")).toBe("a\n");
    expect(await names()).toEqual(["x"]);
  });

  test("creates an empty file", async () => {
    expect((await write("")).failed).toBe(false);
    expect(await text("file")).toBe("");
  });

  test("a new file's mode is the usual one", async () => {
    await write("a");
    expect((await stat(project.path("file"))).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("replaces what was read, and shows the diff", async () => {
    await project.put("file", "a\nb\nc\n");
    await project.read({ filepath: "file" });
    expect((await write("a\nB\nc\n")).text).toBe(
      "Replaced file.\n\n--- file\n+++ file\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c",
    );
  });

  test("does not replace what was never read", async () => {
    await project.put("file", "precious");
    expect((await write("x")).text).toBe(
      "file exists and was not read yet. Read it with read_file, then write it.",
    );
    expect(await text("file")).toBe("precious");
  });

  test("does not replace what changed since, even to the same size and time", async () => {
    await project.put("file", "aaaa");
    const { atime, mtime } = await stat(project.path("file"));
    await project.read({ filepath: "file" });
    await project.put("file", "bbbb");
    await utimes(project.path("file"), atime, mtime);
    expect((await write("x")).text).toBe("file changed since it was read. Read it again, then write it.");
    expect(await text("file")).toBe("bbbb");
    await project.read({ filepath: "file" });
    expect((await write("x")).failed).toBe(false);
  });

  test("a touch is no change", async () => {
    await project.put("file", "a");
    await project.read({ filepath: "file" });
    await utimes(project.path("file"), 1, 1);
    expect((await write("b")).failed).toBe(false);
  });

  test("what it wrote itself counts as read", async () => {
    await write("a");
    expect((await write("b")).failed).toBe(false);
    expect((await write("b")).text).toBe("file already has this content.");
  });

  test.each([
    ["CRLF stays", "a\r\nb\r\n", "x\ny\nz\n", "x\r\ny\r\nz\r\n"],
    ["CRLF in the content is meant", "a\nb\n", "x\r\ny\n", "x\r\ny\n"],
    ["the commoner end wins", "a\r\nb\r\nc\n", "x\n", "x\r\n"],
    ["a BOM stays", "\uFEFFa\n", "b\n", "\uFEFFb\n"],
    ["a BOM isn't doubled", "\uFEFFa\n", "\uFEFFb\n", "\uFEFFb\n"],
    ["a final newline comes and goes as written", "a\n", "b", "b"],
    ["to nothing", "a\n", "", ""],
  ])("%s", async (_name, before, content, after) => {
    await project.put("file", before);
    await project.read({ filepath: "file" });
    expect((await write(content)).failed).toBe(false);
    expect((await project.bytes("file")).toString("latin1")).toBe(Buffer.from(after).toString("latin1"));
  });

  test("UTF-16 stays UTF-16", async () => {
    await project.put("file", Buffer.from("\uFEFFa\r\n", "utf16le"));
    await project.read({ filepath: "file" });
    await write("b😀\n");
    expect(await project.bytes("file")).toEqual(Buffer.from("\uFEFFb😀\r\n", "utf16le"));
  });

  test("does not replace a binary file", async () => {
    await project.put("file", Buffer.from([0, 1, 2]));
    expect((await write("x")).text).toBe("file is a binary file. Change it with bash.");
  });

  test("a file with the longest possible name can be written", async () => {
    const name = "ü".repeat(120);
    expect((await write("a", name)).failed).toBe(false);
    expect((await write("b", name)).failed).toBe(false);
    expect(await names()).toEqual([name]);
  });
});

describe.each(["write_file", "update_file"])("%s keeps", (name) => {
  const change = async (file: string) => {
    await project.read({ filepath: file });
    return calls[name]?.(file);
  };

  test.each([0o600, 0o755, 0o4755, 0o444 | 0o200])("the mode %o", async (mode) => {
    await project.put("file", "one");
    await chmod(project.path("file"), mode);
    await change("file");
    expect((await stat(project.path("file"))).mode & 0o7777).toBe(mode);
    expect(await text("file")).toBe("two");
  });

  test("a symlink, and writes its target", async () => {
    await project.put("folder/real", "one");
    await symlink("folder/real", project.path("link"));
    await change("link");
    expect((await lstat(project.path("link"))).isSymbolicLink()).toBe(true);
    expect(await text("folder/real")).toBe("two");
    expect(await readdir(project.path("folder"))).toEqual(["real"]);
  });

  test("hard links together, and says so", async () => {
    await project.put("file", "one and a longer rest");
    await link(project.path("file"), project.path("other"));
    const outcome = await change("file");
    expect(outcome?.text).toContain("2 hard links");
    expect(await text("other")).toBe(await text("file"));
    expect(await text("file")).toStartWith("two");
  });
});

test("write_file creates the target of a dangling symlink", async () => {
  await symlink("later/file", project.path("link"));
  expect((await project.write({ filepath: "link", content: "a" })).failed).toBe(false);
  expect(await text("later/file")).toBe("a");
  expect((await lstat(project.path("link"))).isSymbolicLink()).toBe(true);
});

describe("update_file", () => {
  const update = (old_text: string, new_text: string) =>
    project.update({ filepath: "file", old_text, new_text });

  test("several edits of one file apply in order", async () => {
    await project.put("file", "a b c");
    await project.read({ filepath: "file" });
    for (const [before, after] of [
      ["a", "1"],
      ["1 b", "2"],
      ["2 c", "3"],
    ] as const)
      expect((await update(before, after)).failed).toBe(false);
    expect(await text("file")).toBe("3");
  });

  test("refuses a file that somebody changed since it was read, and takes it again after a read", async () => {
    await project.put("file", "one\n");
    await project.read({ filepath: "file" });
    await project.put("file", "one\nmore\n");
    expect((await update("one", "two")).text).toBe(
      "file changed since it was read. Read it again, then edit it.",
    );
    expect(await text("file")).toBe("one\nmore\n");
    await project.read({ filepath: "file" });
    expect((await update("one", "two")).failed).toBe(false);
  });

  test("a file read through a link is known by its own name too", async () => {
    await project.put("file", "one\n");
    await symlink("file", project.path("link"));
    await project.read({ filepath: "link" });
    await project.put("file", "one!\n");
    expect((await update("one", "two")).text).toContain("changed since it was read");
  });

  test("the diff of many places is bounded", async () => {
    await project.put("file", "x\n\n\n\n\n\n\n\n".repeat(5_000));
    await project.read({ filepath: "file" });
    const outcome = await project.update({
      filepath: "file",
      old_text: "x",
      new_text: "y",
      replace_all: true,
    });
    expect(outcome.text).toStartWith("Updated file at 5000 places.");
    expect(outcome.text.length).toBeLessThan(12_000);
    expect(outcome.text).toMatch(/\[\d+ more places\]$/);
  });

  test("line numbers in the diff follow what was added before", async () => {
    await project.put("file", `x\n${"-\n".repeat(20)}x\n`);
    await project.read({ filepath: "file" });
    const outcome = await project.update({
      filepath: "file",
      old_text: "x\n",
      new_text: "x\ny\nz\n",
      replace_all: true,
    });
    expect(outcome.text).toContain("@@ -1,4 +1,6 @@");
    expect(outcome.text).toContain("@@ -20,3 +22,5 @@");
  });

  test("a rewrite of 20,000 lines completes, or is aborted at any moment without a trace", async () => {
    const old = Array.from({ length: 20_000 }, (_, index) => `    line number ${index} of this file\n`).join(
      "",
    );
    const content = old.replaceAll("line", "other");
    const reason = new UserAbortError();
    let aborted = 0;
    for (const turns of [0, 1, 3, 6]) {
      await project.put("file", old);
      await project.read({ filepath: "file" });
      const abort = new AbortController();
      const running = project.write({ filepath: "file", content }, abort.signal).catch((error) => error);
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      abort.abort(reason);
      // On a busy machine it may be done by then.
      const isAborted = (await running) === reason;
      if (isAborted) aborted++;
      expect(await text("file")).toBe(isAborted ? old : content);
    }
    expect(aborted).toBeGreaterThan(0);
    await project.put("file", old);
    await project.read({ filepath: "file" });
    expect((await project.write({ filepath: "file", content })).text).toBe(
      "Replaced file.\n\n--- file\n+++ file\n@@ -1,20000 +1,20000 @@\n[20000 lines became 20000: too different to compare line by line]",
    );
  });
});

test("files and folders that don't allow writing", async () => {
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const script = join(import.meta.dir, "../support/unprivileged-files.ts");
  const child = spawn(process.execPath, [script], { ...asNobody, stdio: ["ignore", "pipe", "pipe"] });
  const said = await Array.fromAsync(child.stdout);
  const complaint = await Array.fromAsync(child.stderr);
  if (said.length === 0 && process.getuid?.() === 0) {
    console.log(`skipped: the checkout can't be read by nobody (${complaint.join("").slice(0, 200)})`);
    return;
  }
  const outcomes = JSON.parse(said.join(""));
  const denied = (file: string) => ({
    failed: true,
    text: expect.stringContaining(`Permission denied for ${file}`),
  });
  expect(outcomes).toEqual({
    readSecret: denied("secret.txt"),
    readClosed: denied("closed/file.txt"),
    updateSecret: denied("secret.txt"),
    writeSecret: denied("secret.txt"),
    updateReadonly: denied("readonly.txt"),
    writeReadonly: denied("readonly.txt"),
    createInLocked: denied("locked/new.txt"),
    replaceInFixed: { failed: false, text: expect.stringContaining("it was written in place") },
    contentInFixed: "new\n",
    contentReadonly: "x\n",
  });
});
