// The house as it stands has no violation, and the check finds every kind of violation when one is planted.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { newSessionState } from "../src/session/state.ts";
import { CATALOG } from "../src/tools/catalog.ts";
import { checkArchitecture, DOORS, MAX_LINES, OTHER_MEANINGS, type Rule } from "./support/architecture.ts";

const ROOT = join(import.meta.dir, "..");

test("the house has no import through a wall, no cycle, no overlong file, no empty name, no barrel, no tool known by its name", () => {
  const violations = checkArchitecture(readHouse());
  expect(violations.map(({ rule, path, detail }) => `${rule}: ${path}: ${detail}`)).toEqual([]);
});

test("the check sees the whole house", () => {
  const house = readHouse();
  for (const path of [
    "src/main.ts",
    "src/domain/message.ts",
    "test/architecture.test.ts",
    "scripts/build.ts",
  ])
    expect(house.has(path)).toBe(true);
});

describe("a wall", () => {
  const throughWall = (from: string, statement: string) => rules({ [from]: statement });

  for (const [room, doors] of Object.entries(DOORS))
    test(`${room} opens to ${doors.join(", ") || "nothing"}`, () => {
      const open = Object.keys(DOORS).filter(
        (other) => throughWall(`src/${room}/a.ts`, `import { b } from "../${other}/b.ts";`).length === 0,
      );
      expect(open.sort()).toEqual([room, ...doors].sort());
    });

  const forms: Record<string, string> = {
    "a value": `import { b } from "../app/b.ts";`,
    "a type": `import type { B } from "../app/b.ts";`,
    "a type among values": `import { type B } from "../app/b.ts";`,
    "several lines": `import {\n  b,\n  c,\n} from "../app/b.ts";`,
    "a side effect": `import "../app/b.ts";`,
    "a lazy import": `export const load = () => import("../app/b.ts");`,
    "a type in an expression": `export type B = import("../app/b.ts").B;`,
    "a re-export": `export const a = 1;\nexport { b } from "../app/b.ts";`,
    "a star re-export": `export const a = 1;\nexport * from "../app/b.ts";`,
    "single quotes": `import { b } from '../app/b.ts';`,
    "after a confusing pattern": `const quote = /["'\`/]/;\nimport { b } from "../app/b.ts";`,
    "after a template in a template": `const a = \`\${b ? \`\\\`\` : ""}\`;\nimport { c } from "../app/c.ts";\nconst d = \`.\`;`,
    "a detour": `import { b } from "./../../src/app/b.ts";`,
    "the way to the entry": `import { b } from "../main.ts";`,
    "the way out of src": `import { b } from "../../scripts/b.ts";`,
    "test support in the product": `import { b } from "../../test/support/b.ts";`,
  };
  for (const [name, statement] of Object.entries(forms))
    test(`stops ${name}`, () => expect(throughWall("src/loop/a.ts", statement)).toEqual(["wall"]));

  const harmless: Record<string, string> = {
    "its own room": `import { b } from "./b.ts";`,
    packages: `import { z } from "zod";\nimport { join } from "node:path";`,
    "prose and data": `import text from "../prompt/a.md";\nimport data from "../../package.json";`,
    comments: `// import { b } from "../app/b.ts";\n/* import "../app/b.ts" */`,
    strings: `export const a = 'import { b } from "../app/b.ts"';`,
    templates: `export const a = \`\nimport { b } from "../app/b.ts";\n\`;`,
    "Array.from": `export const a = Array.from("../app/b.ts");`,
  };
  for (const [name, statement] of Object.entries(harmless))
    test(`lets ${name} through`, () => expect(throughWall("src/loop/a.ts", statement)).toEqual([]));

  test("keeps the screen from the agent: what it shows comes through the front", () => {
    for (const form of [
      `import { openAgent } from "../app/compose.ts";`,
      `import type { Person } from "../app/settings.ts";`,
    ])
      expect(throughWall("src/tui/a.ts", form)).toEqual(["wall"]);
    expect(throughWall("src/tui/a.ts", `import { Desk } from "../front/desk.ts";`)).toEqual([]);
  });

  test("lets a unit test use test support, and nothing else more than its room may", () => {
    expect(throughWall("src/loop/a.test.ts", `import { b } from "../../test/support/b.ts";`)).toEqual([]);
    expect(throughWall("src/loop/a.test.ts", `import { b } from "../app/b.ts";`)).toEqual(["wall"]);
  });

  test("lets main.ts, sdk.ts and tests everywhere", () => {
    for (const path of ["src/main.ts", "src/sdk.ts"])
      expect(throughWall(path, `import { b } from "./app/b.ts";\nexport const a = b;`)).toEqual([]);
    expect(throughWall("test/scenarios/a.test.ts", `import { b } from "../../src/app/b.ts";`)).toEqual([]);
  });
});

describe("a cycle", () => {
  test("of two files, one a type import, is found once", () => {
    const files = {
      "src/domain/a.ts": `import { b } from "./b.ts";\nexport const a = b;`,
      "src/domain/b.ts": `import type { A } from "./a.ts";\nexport const b = 1;`,
    };
    expect(check(files)).toEqual([
      {
        rule: "cycle",
        path: "src/domain/a.ts",
        detail: "src/domain/a.ts -> src/domain/b.ts -> src/domain/a.ts",
      },
    ]);
  });

  test("of three files behind an innocent one is found", () => {
    const chain = { start: "x", x: "y", y: "z", z: "x" };
    const files = Object.entries(chain).map(([from, to]) => [
      `src/base/${from}.ts`,
      `import "./${to}.ts";\nexport const ${from}1 = 1;`,
    ]);
    expect(rules(Object.fromEntries(files))).toEqual(["cycle"]);
  });

  test("is not a file that is reached twice", () => {
    const files = {
      "src/base/a.ts": `import "./b.ts";\nimport "./c.ts";`,
      "src/base/b.ts": `import "./c.ts";`,
      "src/base/c.ts": "export const c = 1;",
    };
    expect(rules(files)).toEqual([]);
  });
});

describe("a file", () => {
  const lines = (count: number) => "const a = 1;\n".repeat(count);
  const cases: [path: string, text: string, expected: Rule[]][] = [
    ["src/base/a.ts", lines(MAX_LINES), []],
    ["src/base/a.ts", lines(MAX_LINES + 1), ["length"]],
    ["scripts/a.ts", lines(MAX_LINES + 1), ["length"]],
    ["src/base/a.test.ts", lines(MAX_LINES + 1), []],
    ["src/base/a.data.ts", lines(MAX_LINES + 1), []],
    ["src/base/a.generated.ts", lines(MAX_LINES + 1), []],
    ["src/prompt/a.md", lines(MAX_LINES + 1), []],
    ["src/a.ts", lines(1), ["root-file"]],
    ["src/cellar/a.ts", lines(1), ["room"]],
    ["src/base/index.ts", `export { b } from "./b.ts";`, ["barrel"]],
    [
      "src/base/index.ts",
      `// Everything.\nexport * from "./b.ts";\nexport type { C } from "./c.ts";`,
      ["barrel"],
    ],
    ["src/base/index.ts", `import { b } from "./b.ts";\nexport { b };`, ["barrel"]],
    ["src/base/a.ts", `export { b } from "./b.ts";\nexport const a = 1;`, []],
    ["src/sdk.ts", `export { b } from "./base/b.ts";`, []],
    ["src/base/a.ts", "export default 1;", ["default-export"]],
    ["src/base/a.ts", "const a = 1;\nexport { a as default };", ["default-export"]],
    ["src/base/a.ts", "process.exit(1);", ["process-exit"]],
    ["src/base/a.ts", "export const leave = process?.exit;", ["process-exit"]],
    ["src/base/a.ts", `import { exit } from "node:process";\nexit(1);`, ["process-exit"]],
    ["scripts/a.ts", "process.exit(1);", ["process-exit"]],
    ["src/main.ts", "process.exit(1);", []],
    ["src/base/a.ts", "process.exitCode = 1; // not process.exit()", []],
  ];
  for (const [path, text, expected] of cases) {
    const shown = text.length > 60 ? `${text.split("\n").length - 1} lines` : JSON.stringify(text);
    test(`${path}: ${shown}: ${expected.join() || "fine"}`, () =>
      expect(rules({ [path]: text })).toEqual(expected));
  }
});

describe("a session's state", () => {
  const changes = [
    "session.title = title;",
    "manager.session.title = title;",
    "state.currentModel = name;",
    "session.conversation.messages = [];",
    "const { conversation } = session;\nconversation.messages = [];",
    "session.conversation.messages.push(message);",
    "session.runtime.batchCounter++;",
    "session.usage.sessionTotal = total;",
    "session.work ??= work;",
    "session.conversation.messages[0] = message;",
    "Object.assign(session, { title });",
  ];
  for (const change of changes)
    test(`is changed in src/session and in tests only: ${JSON.stringify(change)}`, () => {
      expect(rules({ "src/app/a.ts": change })).toEqual(["session-state"]);
      expect(rules({ "src/session/a.ts": change, "src/app/a.test.ts": change })).toEqual([]);
    });

  test("is all that SessionState has", () => {
    const start = { sessionId: "", projectId: "", workingDirectory: "", model: "", now: "" };
    for (const key of Object.keys(newSessionState(start)))
      expect(rules({ "src/app/a.ts": `session.${key} = other;` })).toEqual(["session-state"]);
  });

  const readings = [
    "if (session.title === title) return;",
    "const title = session.title;",
    "const model = () => session.currentModel;",
    "context.state.hasUserResponse = true;",
    "session.conversation.messages.slice();",
    "const named = (session) => session.title >= title;",
    "// session.title = title;",
  ];
  for (const reading of readings)
    test(`may be read: ${JSON.stringify(reading)}`, () =>
      expect(rules({ "src/app/a.ts": reading })).toEqual([]));
});

describe("a tool", () => {
  const tool = `export const bash = defineTool({\n  name: "bash",\n  kind: "write" });`;
  const beside = (path: string, text: string) => rules({ "src/tools/bash.ts": tool, [path]: text });

  test("that is known by its name outside of its room is found", () => {
    const comparison = `export const a = (name: string) => name === "bash";`;
    expect(beside("src/permission/a.ts", comparison)).toEqual(["tool-name"]);
    expect(beside("src/tui/a.ts", `export const a = { read: 1, bash: 2 };`)).toEqual(["tool-name"]);
    expect(beside("src/tui/a.ts", `export const a = new Set(['bash']);`)).toEqual(["tool-name"]);
  });

  test("may be named in its room, in tests, in prose, and where the word means something else", () => {
    const text = `export const a = "bash";`;
    for (const path of ["src/tools/a.ts", "src/app/a.test.ts", ...Object.keys(OTHER_MEANINGS)])
      expect(beside(path, text)).toEqual([]);
    const prose = `// bash: runs.\nexport const a = "use bash for that";`;
    expect(beside("src/app/a.ts", prose)).toEqual([]);
  });

  test("of ours is known to the check, and every exception is still needed", () => {
    const house = readHouse();
    const names = CATALOG.map(({ name }) => name);
    for (const path of Object.keys(OTHER_MEANINGS))
      expect({ path, names: names.some((name) => house.get(path)?.includes(name)) }).toEqual({
        path,
        names: true,
      });
    const planted = names.map((name) => `export const ${name}_ = "${name}";`).join("\n");
    const found = checkArchitecture(new Map([...house, ["src/app/planted.ts", planted]]));
    expect(found.map(({ rule }) => rule)).toEqual(names.map(() => "tool-name"));
  });
});

describe("an exported name", () => {
  const declared = ["const gate = 1;", "function gate() {}", "async function* gate() {}", "class gate {}"];
  for (const declaration of [...declared, "interface gate {}", "type gate = 1;"])
    test(`stands in one file: ${declaration}`, () =>
      expect(
        rules({ "src/base/a.ts": `export ${declaration}`, "src/domain/b.ts": "export const gate = 2;" }),
      ).toEqual(["exported-twice"]));

  test("may be repeated by tests, by overloads, and by what isn't exported", () => {
    const one = "export function gate(a: 1): 1;\nexport function gate(a: 2): 2;";
    const others = { "src/base/b.ts": "const gate = 1;", "src/base/c.test.ts": "export const gate = 1;" };
    expect(rules({ "src/base/a.ts": one, ...others })).toEqual([]);
  });
});

describe("a name", () => {
  const bad = ["utils", "helpers", "common", "misc", "manager", "service", "journal-v2", "session-manager"];
  for (const name of bad)
    test(`${name} is refused for a file and for a folder`, () => {
      for (const path of [
        `src/base/${name}.ts`,
        `src/base/${name}/a.ts`,
        `test/support/${name}.ts`,
        `docs/${name}.md`,
      ])
        expect(rules({ [path]: "export const a = 1;" })).toEqual(["name"]);
    });

  test("that only contains such a word is fine", () => {
    expect(rules({ "src/base/commonality.ts": "export const a = 1;" })).toEqual([]);
  });
});

function check(files: Record<string, string>) {
  return checkArchitecture(new Map(Object.entries(files)));
}

function rules(files: Record<string, string>): Rule[] {
  return check(files).map((violation) => violation.rule);
}

function readHouse(): Map<string, string> {
  const paths = ["src", "test", "bench", "scripts", "docs"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/")),
  );
  const ours = paths.filter(
    (path) => !path.startsWith("test/fixtures/") && !path.startsWith("bench/results/"),
  );
  return new Map(ours.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}
