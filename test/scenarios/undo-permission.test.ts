// In the mode auto-edit, with the built binary, its sandbox and nobody there to be asked: what undo brings back is
// deleted without a question and comes back, and what it doesn't bring back is not deleted.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { whyNoSandbox } from "../support/sandbox-ground.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
  for (const folder of ["src", "node_modules/x"]) mkdirSync(join(lab.folder, folder), { recursive: true });
  for (const path of ["a.txt", "b.txt", "src/b.ts", "node_modules/x/index.js"])
    writeFileSync(join(lab.folder, path), `${path}\n`);
  writeFileSync(join(lab.folder, "large.txt"), "l".repeat(1024 * 1024));
  writeFileSync(join(lab.folder, "big.bin"), "b".repeat(9 * 1024 * 1024));
}, 120_000);
afterAll(() => lab.close());

const isThere = (path: string) => existsSync(join(lab.folder, path));

/** The reasons of the denials; the model runs one command after the other. */
async function run(commands: readonly string[], ...flags: readonly string[]) {
  lab.script([...commands.map((command) => answer(call("bash", { command }))), answer("done")]);
  const args = ["run", "--permission", "auto-edit", "--output", "json", ...flags, "go"];
  const { code, stdout } = await lab.run(args);
  const denials: readonly { readonly reason: string }[] = JSON.parse(stdout).denials;
  return { code, reasons: denials.map(({ reason }) => reason) };
}

const lost = (path: string) => expect.stringContaining(`Undo would not bring back ${path}.`);

test.skipIf(whyNoSandbox !== null)(
  "what undo brings back is deleted unasked and comes back; what it doesn't bring back needs a yes, and stays",
  async () => {
    const ended = await run([
      "rm -r src a.txt large.txt",
      "rm -r node_modules",
      "rm b.txt big.bin",
      "echo > big.bin",
      "find . -name '*.bin' -delete",
    ]);
    const reasons = ["node_modules", "big.bin", "big.bin", "big.bin"].map(lost);
    expect(ended).toEqual({ code: 6, reasons });
    expect([isThere("src"), isThere("a.txt"), isThere("large.txt")]).toEqual([false, false, false]);
    expect([isThere("node_modules/x/index.js"), isThere("b.txt")]).toEqual([true, true]);
    expect(readFileSync(join(lab.folder, "big.bin")).length).toBe(9 * 1024 * 1024);
    expect((await lab.run(["undo"])).code).toBe(0);
    expect(readFileSync(join(lab.folder, "src/b.ts"), "utf8")).toBe("src/b.ts\n");
    expect([isThere("a.txt"), isThere("large.txt")]).toEqual([true, true]);
  },
);

test.skipIf(whyNoSandbox !== null)("without a session, nothing is covered", async () => {
  expect(await run(["rm a.txt"], "--no-session")).toMatchObject({ code: 6 });
  expect(isThere("a.txt")).toBe(true);
});

test("without the sandbox the question says it, too, and no command is spared by a rule with an open end", async () => {
  const off = ["--sandbox", "off"];
  expect(await run(["rm -r node_modules"], ...off)).toEqual({ code: 6, reasons: [lost("node_modules")] });
  expect(await run(["rm big.bin"], ...off, "--allow", "bash(rm:*)")).toMatchObject({ code: 6 });
  expect(await run(["rm big.bin"], ...off, "--allow", "bash(rm big.bin)")).toMatchObject({ code: 0 });
  expect([isThere("big.bin"), isThere("node_modules")]).toEqual([false, true]);
});

test("with undo switched off, nothing is covered", async () => {
  const config = join(lab.home, ".config");
  mkdirSync(config, { recursive: true });
  const settings = '{"settings": {"undo": {"enabled": false}}}';
  writeFileSync(join(config, "tunacode.json"), settings, { mode: 0o600 });
  const permit = ["permit", "--sandbox", "on", "--permission", "auto-edit", "rm a.txt"];
  expect((await lab.run(permit)).stdout).toStartWith("ask");
  expect((await lab.run(["undo", "--uncovered"])).code).toBe(2);
});
