// The demo with nothing but the binary: a real turn with a scripted model, and an honest exit code.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOUR_PROMPT } from "../../src/app/demo-tour.ts";
import { latestAnswer } from "../../src/domain/message.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { decodeMessages } from "../../src/session/stored-message.ts";
import { type CopiedBinary, copyBinary } from "../support/binary.ts";
import { startBinary } from "../support/running-binary.ts";
import { outline } from "../support/scenario.ts";

setDefaultTimeout(60_000);

let binary: CopiedBinary;
let temporary = "";
beforeAll(async () => {
  binary = await copyBinary();
  temporary = mkdtempSync(join(tmpdir(), "tunacode-demo-test-"));
}, 60_000);
afterAll(() => {
  binary.remove();
  rmSync(temporary, { recursive: true, force: true });
});

const demo = (more: Record<string, string> = {}) => binary.run(["demo"], { TMPDIR: temporary, ...more });

test("it finds the bug, fixes it, and its exit code means that the tests pass", () => {
  const { code, stdout, stderr } = demo();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const shown = ["list_dir", "read_file", "FAIL  10 sardines", "grep", "-ge", "ok    10 sardines: 800", "✓"];
  for (const text of shown) expect(stdout).toContain(text);
  expect(stdout).not.toContain("\u001b");
  expect(readFileSync(join(projectOf(stdout), "discount.sh"), "utf8")).toContain('-ge "$MANY"');
});

test("it is labelled as scripted on the screen, in the session and in the list of sessions", () => {
  const { stdout } = demo();
  expect(stdout.split("\n")[0]).toContain("scripted");
  const { messages, model } = sessionOf(stdout);
  expect(model).toBe("demo:tour");
  expect(JSON.stringify(messages)).toContain("a script that plays a model");
  expect(binary.run(["sessions", "--all"]).stdout).toContain("Scripted demo");
});

test("the session contains the whole turn and is healthy", () => {
  const { messages } = decodeMessages(sessionOf(demo().stdout).messages);
  expect(checkHistory(messages)).toEqual([]);
  expect(outline(messages)).toBe(
    [
      "prompt",
      "text call:list_dir call:read_file",
      "return:list_dir(completed) return:read_file(completed)",
      "text call:bash",
      "return:bash(failed)",
      "text call:grep",
      "return:grep(completed)",
      "text call:read_file",
      "return:read_file(completed)",
      "text call:update_file",
      "return:update_file(completed)",
      "text call:bash",
      "return:bash(completed)",
      "text",
    ].join(" | "),
  );
});

test("it never waits, even behind a silent pipe", async () => {
  const env = { HOME: temporary, TMPDIR: temporary };
  const { code } = await startBinary(binary.path, ["demo"], { cwd: binary.folder, env, stdin: "open" }).ended;
  expect(code).toBe(0);
});

test("tests that still fail are reported, and the exit code is 1", () => {
  const bin = join(temporary, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "sh"), "#!/bin/sh\necho 7\n");
  chmodSync(join(bin, "sh"), 0o755);
  const { code, stdout } = demo({ PATH: `${bin}:/usr/bin:/bin` });
  expect(code).toBe(1);
  expect(stdout).toContain("✗");
  expect(stdout).not.toContain("✓");
});

test("a temporary folder inside a repository is not mistaken for that project", () => {
  const repository = join(temporary, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFileSync(join(repository, "discount.sh"), "theirs\n");
  const { code, stdout } = demo({ TMPDIR: repository });
  expect(code).toBe(0);
  expect(projectOf(stdout)).toStartWith(repository);
  expect(readFileSync(join(repository, "discount.sh"), "utf8")).toBe("theirs\n");
});

test("arguments after demo are a usage error", () => {
  const { code, stderr } = binary.run(["demo", "please"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "tunacode: demo takes no arguments.\nTry: tunacode help demo\n",
  });
});

test("outside the demo, the scripted model says what it is and touches nothing", () => {
  for (const prompt of ["hello", TOUR_PROMPT]) {
    const { code, stdout } = binary.run(["run", "--model", "demo:tour", "--output", "json", prompt]);
    const result = JSON.parse(stdout);
    expect({ code, model: result.model }).toEqual({ code: 0, model: "demo:tour" });
    expect(latestAnswer(decodeMessages(result.messages).messages)).toMatch(/\bscript\b/);
  }
});

function projectOf(stdout: string): string {
  return /^In (\S+) it may run/m.exec(stdout)?.[1] ?? "";
}

function sessionOf(stdout: string): { messages: unknown; model: string } {
  const id = /sessions show (\w+)/.exec(stdout)?.[1] ?? "";
  return JSON.parse(binary.run(["sessions", "show", id, "--output", "json"]).stdout);
}
