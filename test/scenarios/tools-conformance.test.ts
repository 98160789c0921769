// What every tool must do: a table of situations, with one row per tool.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { settleProcesses } from "../../src/base/process-endings.ts";
import { checkArguments } from "../../src/dispatch/check-arguments.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { createTools } from "../../src/tools/catalog.ts";
import { createRipgrepPath } from "../../src/tools/ripgrep.ts";
import { plainShell } from "../support/bound-tool.ts";
import { runTool } from "../support/run-tool.ts";
import { scenario } from "../support/scenario.ts";
import { tempWorkspace } from "../support/temp-workspace.ts";

/** Characters: what the most talkative tool may return (100 KB and its remarks). */
const MOST_CHARACTERS = 101 * 1024;
const MEGABYTES = 100;

interface Row {
  /** A call that works. */
  readonly works: JsonObject;
  /** A path that isn't there. */
  readonly missing?: JsonObject;
  readonly outside?: JsonObject;
  /** A name with spaces and other scripts; its text comes back. */
  readonly oddName?: JsonObject;
  readonly emptyFile?: JsonObject;
  /** A file of 100 MB whose last line is "needle". */
  readonly hugeFile?: JsonObject;
  /** Takes more than a moment on that file. */
  readonly slow?: JsonObject;
  /** A directory where a file belongs, or the other way round. */
  readonly wrongKind?: JsonObject;
  readonly unreadable?: JsonObject;
  /** Takes until it is stopped. */
  readonly endless?: JsonObject;
}

const workspace = tempWorkspace({
  "a.txt": "hello\n",
  "ein ordner/ä 漢 🐟.txt": "odd\n",
  "empty.txt": "",
  "closed/secret.txt": "secret\n",
});
const elsewhere = tempWorkspace({ "b.txt": "outside\n" });
mkdirSync(workspace.path("empty"));

const server = createServer(({ url }, response) => {
  if (url !== "/endless") response.setHeader("content-type", "text/plain").end("hello");
});

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const outside = elsewhere.path("b.txt");

const ROWS: Readonly<Record<string, Row>> = {
  read_file: {
    works: { filepath: "a.txt" },
    missing: { filepath: "nowhere.txt" },
    outside: { filepath: outside },
    oddName: { filepath: "ein ordner/ä 漢 🐟.txt" },
    emptyFile: { filepath: "empty.txt" },
    hugeFile: { filepath: "huge.txt", offset: -1 },
    slow: { filepath: "huge.txt", offset: 19_000_000 },
    wrongKind: { filepath: "empty" },
    unreadable: { filepath: "closed/secret.txt" },
  },
  write_file: {
    works: { filepath: "new/file.txt", content: "text\n" },
    slow: { filepath: "large-new.txt", content: "text\n".repeat(10_000_000) },
    outside: { filepath: elsewhere.path("new.txt"), content: "text\n" },
    wrongKind: { filepath: "empty", content: "text\n" },
    unreadable: { filepath: "closed/new.txt", content: "text\n" },
  },
  update_file: {
    works: { filepath: "a.txt", old_text: "hello", new_text: "hello again" },
    missing: { filepath: "nowhere.txt", old_text: "a", new_text: "b" },
    slow: { filepath: "huge.txt", old_text: "needle", new_text: "pin" },
    outside: { filepath: outside, old_text: "outside", new_text: "outside!" },
    oddName: { filepath: "ein ordner/ä 漢 🐟.txt", old_text: "odd", new_text: "odd!" },
    emptyFile: { filepath: "empty.txt", old_text: "a", new_text: "b" },
    wrongKind: { filepath: "empty", old_text: "a", new_text: "b" },
    unreadable: { filepath: "closed/secret.txt", old_text: "secret", new_text: "b" },
  },
  list_dir: {
    works: {},
    missing: { directory: "nowhere" },
    outside: { directory: elsewhere.root },
    oddName: { directory: "ein ordner" },
    emptyFile: { directory: "empty" },
    wrongKind: { directory: "a.txt" },
    unreadable: { directory: "closed" },
  },
  glob: {
    works: { pattern: "*.txt" },
    missing: { pattern: "*.txt", directory: "nowhere" },
    outside: { pattern: "*.txt", directory: elsewhere.root },
    oddName: { pattern: "*漢*" },
    wrongKind: { pattern: "*.txt", directory: "a.txt" },
  },
  grep: {
    works: { pattern: "hello" },
    missing: { pattern: "hello", directory: "nowhere" },
    outside: { pattern: "outside", directory: outside },
    oddName: { pattern: "odd", directory: "ein ordner" },
    emptyFile: { pattern: "x", directory: "empty.txt" },
    hugeFile: { pattern: "needle" },
    slow: { pattern: "needles" },
  },
  bash: {
    works: { command: "cat a.txt" },
    missing: { command: "true", cwd: "nowhere" },
    outside: { command: "cat b.txt", cwd: elsewhere.root },
    oddName: { command: "cat 'ein ordner'/*" },
    emptyFile: { command: "cat empty.txt" },
    hugeFile: { command: "cat huge.txt" },
    wrongKind: { command: "true", cwd: "a.txt" },
    endless: { command: "yes" },
  },
  web_fetch: {
    works: { url: `${site}/` },
    endless: { url: `${site}/endless` },
  },
  research_codebase: { works: { query: "where?" }, endless: { query: "endless" } },
  present_plan: { works: { plan: "1. begin" }, endless: { plan: "endless" } },
  submit: { works: { summary: "done" } },
};

const tools = createTools({
  workspace,
  shell: plainShell,
  ripgrepPath: createRipgrepPath(),
  research: (query, _scope, { signal }) => answer(query, signal),
  presentPlan: answer,
  spillFolder: async () => workspace.path("empty"),
  mask: (text) => text,
  network: { resolve: async () => [], refuseHostName: () => null, refuseAddress: () => null },
});

/** As a port does that waits for a person or a model. */
async function answer(question: string, signal: AbortSignal): Promise<string> {
  if (question !== "endless") return "answer";
  return await new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await settleProcesses();
  workspace[Symbol.dispose]();
  elsewhere[Symbol.dispose]();
});

type Check = (tool: Tool, args: JsonObject) => Promise<void>;

/** One test a tool that has such a situation. */
function each(situation: keyof Row, check: Check): void {
  for (const tool of tools) {
    const args = ROWS[tool.name]?.[situation];
    if (args !== undefined) test(tool.name, () => check(tool, args));
  }
}

const succeeds: Check = async (tool, args) => {
  const { text, failed } = await runTool(tool, args);
  expect({ text, failed }).toMatchObject({ failed: false });
  expect(text.trim()).not.toBe("");
  expect(text.length).toBeLessThan(MOST_CHARACTERS);
};
const fails: Check = async (tool, args) => {
  const { text, failed } = await runTool(tool, args);
  expect({ text, failed }).toMatchObject({ failed: true });
  // What happened, and what to do: more than a code.
  expect(text.split(" ").length).toBeGreaterThan(4);
};

test("every tool has its row", () =>
  expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(ROWS).toSorted()));

describe("a call that works", () => each("works", succeeds));
describe("a missing path is a failure that says so", () => each("missing", fails));
describe("a path outside the project is for the permission to judge", () => each("outside", succeeds));
describe("an empty file or folder", () =>
  each("emptyFile", (tool, args) =>
    tool.name === "update_file" ? fails(tool, args) : succeeds(tool, args),
  ));
describe("a directory for a file, or a file for a directory", () => each("wrongKind", fails));

describe("a name with spaces and other scripts", () =>
  each("oddName", async (tool, args) => {
    const { text, failed } = await runTool(tool, args);
    expect(failed).toBe(false);
    expect(text).toMatch(/odd|漢/);
  }));

describe(`a file of ${MEGABYTES} MB`, () => {
  beforeAll(() =>
    writeFileSync(workspace.path("huge.txt"), `${"line\n".repeat(MEGABYTES * 200_000)}needle\n`),
  );
  afterAll(() => rmSync(workspace.path("huge.txt"), { force: true }));
  each("hugeFile", async (tool, args) => {
    const { text, failed } = await runTool(tool, args);
    expect(failed).toBe(false);
    expect(text.includes("needle")).toBe(true);
    expect(text.length).toBeLessThan(MOST_CHARACTERS);
  });

  describe("is released when the call is aborted", () => {
    each("slow", async (tool, args) => {
      const abort = new AbortController();
      const run = runTool(tool, args, abort.signal).catch((error: unknown) => error);
      setTimeout(() => abort.abort(new Error("escape")), 5);
      expect(await run).toEqual(new Error("escape"));
    });
    test("and nothing half written is left", () => {
      const names = readdirSync(workspace.root, { recursive: true, encoding: "utf8" });
      expect(names.filter((name) => name.endsWith(".tunacode"))).toEqual([]);
      expect(names).not.toContain("large-new.txt");
    });
  });
});

describe.skipIf(process.getuid?.() === 0)("no permission (root has all, so not as root)", () => {
  beforeAll(() => chmodSync(workspace.path("closed"), 0));
  afterAll(() => chmodSync(workspace.path("closed"), 0o700));
  each("unreadable", fails);
});

describe("an abort throws its reason", () => {
  each("endless", async (tool, args) => {
    const abort = new AbortController();
    const run = runTool(tool, args, abort.signal);
    setTimeout(() => abort.abort(new Error("escape")), 100);
    expect(await run.catch((error: unknown) => error)).toEqual(new Error("escape"));
  });
});

describe("an abort before the start has no effect on the project", () => {
  each("works", async (tool, args) => {
    const signal = AbortSignal.abort(new Error("escape"));
    const outcome = await runTool(tool, args, signal).catch((error: unknown) => error);
    if (tool.kind === "write") expect(outcome).toEqual(new Error("escape"));
  });
});

describe("wrong arguments are refused with the name of the bad one", () => {
  for (const tool of tools)
    test(tool.name, () => {
      const { name, parameters } = tool;
      const validate = (args: JsonObject) => checkArguments(tool, args);
      const works = ROWS[name]?.works ?? {};
      const { properties, required } = parameters;
      const propertyNames = isJsonObject(properties) ? Object.keys(properties) : [];
      expect(propertyNames).not.toEqual([]);
      const requiredNames = Array.isArray(required) ? required : [];
      for (const property of propertyNames) {
        const wrong = validate({ ...works, [property]: { wrong: [true] } });
        expect(wrong).toMatchObject({ ok: false, problem: expect.stringContaining(property) });
        const { [property]: _left, ...rest } = works;
        const left = validate(rest);
        expect({ property, ok: left.ok }).toEqual({ property, ok: !requiredNames.includes(property) });
      }
    });
});

test("a model can tell from a refusal what to write instead", () => {
  const problem = (name: string, args: JsonObject) => {
    const tool = tools.find((each) => each.name === name);
    const checked = tool && checkArguments(tool, args);
    return checked?.ok === false ? checked.problem : "accepted";
  };
  expect(problem("read_file", { path: "a.txt" })).toBe(
    "filepath: missing, expected a string; path: not known here, the arguments are filepath, offset, limit",
  );
  expect(problem("grep", { pattern: "" })).toBe('pattern: expected some text, got ""');
  expect(problem("bash", { command: "ls", env: { "A=B": "1" } })).toBe(
    'env.A=B: expected a name that matches ^[^=]+$, got "A=B"',
  );
});

test("an unknown argument is ignored, and the model is told with the result", async () => {
  const listDir = tools.filter(({ name }) => name === "list_dir");
  const run = scenario([[{ call: "list_dir", args: { path: "src" } }], [{ text: "ok" }]], listDir);
  const { messages } = await run.ask("go");
  expect(JSON.stringify(messages)).toContain(
    "[Passed over: path: not known here, the arguments are directory.]",
  );
});

test("null counts as an argument that was left out", () => {
  for (const tool of tools) {
    const { name } = tool;
    const validate = (args: JsonObject) => checkArguments(tool, args);
    const works = ROWS[name]?.works ?? {};
    const nulls = Object.fromEntries(Object.keys(propertiesOf(name)).map((property) => [property, null]));
    expect(validate({ ...nulls, ...works })).toEqual(validate(works));
    for (const property of requiredOf(name))
      expect(validate({ ...works, [property]: null })).toMatchObject({
        ok: false,
        problem: `${property}: expected a string, got null`,
      });
  }
});

function propertiesOf(name: string): JsonObject {
  const properties = tools.find((tool) => tool.name === name)?.parameters["properties"];
  return isJsonObject(properties) ? properties : {};
}

function requiredOf(name: string): string[] {
  const required = tools.find((tool) => tool.name === name)?.parameters["required"];
  return Array.isArray(required) ? required.map(String) : [];
}

describe("a NUL character, which no system accepts in a name or an argument", () => {
  for (const tool of tools)
    test(tool.name, async () => {
      for (const [property, value] of Object.entries(ROWS[tool.name]?.works ?? {})) {
        if (typeof value !== "string" || FREE_TEXT.includes(property)) continue;
        await fails(tool, { ...ROWS[tool.name]?.works, [property]: `${value}\0` });
      }
    });
});

/** Goes into a file, to a person or to a model, where it is as good as any other. */
const FREE_TEXT = ["content", "old_text", "new_text", "plan", "query", "summary", "url"];

describe("a deadline", () => {
  for (const { name, deadlineMs } of tools)
    test(name, () => {
      // Those that wait for a person or for nothing have none of their own.
      if (["present_plan", "submit"].includes(name)) expect(deadlineMs).toBeUndefined();
      else expect(deadlineMs).toBeGreaterThan(0);
    });
});
