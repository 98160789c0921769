// The library's types in another, strict project: they resolve, correct programs check, and mistakes are errors.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/build.ts";
import { writeMainPackage } from "../../scripts/packages.ts";
import { buildLibraryIfStale } from "../../scripts/sdk.ts";

let project = "";
beforeAll(async () => {
  await buildLibraryIfStale();
  project = mkdtempSync(join(tmpdir(), "tunacode-types-"));
  writeMainPackage(join(project, "node_modules", "tunacode"));
  // The consumer's own type packages. Nothing else of this repository is reachable.
  const types = join(ROOT, "node_modules", "@types", "node");
  cpSync(types, join(project, "node_modules", "@types", "node"), { recursive: true });
  const undici = join(ROOT, "node_modules", "undici-types");
  cpSync(undici, join(project, "node_modules", "undici-types"), { recursive: true });
}, 60_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

const GOOD = `
import { type AgentEvent, type AskedCommand, latestAnswer, memoryStateManager, type Message, type Offer, type PermissionQuestion, type PersonAnswer, processRequest, scriptedModel, type Tool, TunacodeError, type ErrorCode } from "tunacode";

const tool: Tool = {
  name: "t",
  description: "",
  parameters: { type: "object" },
  execute: async (_args, { signal }) => (signal.aborted ? "late" : "done"),
};
const model = scriptedModel({ turns: [[{ call: "t" }], [{ text: "hi" }]] });
const manager = memoryStateManager({ createModel: async () => model, tools: [tool] });
const run = await processRequest("hello", model, manager, { noticeCallback: (text: string) => console.log(text) });
const messages: readonly Message[] = run.allMessages();
const answer: string | null = latestAnswer(messages);
export function isEnd(event: AgentEvent): boolean {
  return event.type === "request-end" && event.outcome.type === "completed";
}
export function answerTo({ offers, command }: PermissionQuestion): PersonAnswer {
  const shown: AskedCommand | undefined = command;
  const offer = offers.findIndex(({ lasts }: Offer) => lasts === "session");
  return offer === -1 || shown?.sandboxed === false ? { type: "deny" } : { type: "offer", offer };
}
export function codeOf(error: unknown): ErrorCode | null {
  return error instanceof TunacodeError ? error.code : null;
}
console.log(answer);
`;

test("a correct program and the examples check", () => {
  const names = readdirSync(join(ROOT, "examples")).filter((name) => name.endsWith(".mjs"));
  expect(names.length).toBeGreaterThan(0);
  expect(
    check({ "good.ts": GOOD, ...Object.fromEntries(names.map((name) => [name, null])) }, "nodenext"),
  ).toBe("");
}, 60_000);

test("every mistake is an error, and nothing else is", () => {
  const wrong = {
    "a.ts": 'import { processRequest } from "tunacode"; await processRequest("hi");',
    "b.ts": 'import { nothingOfTheKind } from "tunacode"; nothingOfTheKind();',
    "c.ts": 'import { scriptedModel } from "tunacode"; scriptedModel({ turns: [[{ text: 1 }]] });',
  };
  const problems = check({ ...wrong, "good.ts": GOOD }, "bundler").match(/^\S+\.ts(?=\()/gm);
  expect(new Set(problems)).toEqual(new Set(Object.keys(wrong)));
}, 60_000);

/** The output of tsc for these files; null stands for an example. */
function check(files: Record<string, string | null>, resolution: string): string {
  const folder = mkdtempSync(join(project, "check-"));
  for (const [name, text] of Object.entries(files))
    if (text === null) cpSync(join(ROOT, "examples", name), join(folder, name));
    else writeFileSync(join(folder, name), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    target: "esnext",
    lib: ["esnext"],
    module: resolution === "nodenext" ? "nodenext" : "preserve",
    moduleResolution: resolution,
    types: ["node"],
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tsc = join(ROOT, "node_modules", ".bin", "tsc");
  const { stdout, stderr } = spawnSync(tsc, ["--project", folder], { cwd: folder, encoding: "utf8" });
  return stdout + stderr;
}
