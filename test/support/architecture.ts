// The architecture check as a function: source files in, violations out. The reasons are in ARCHITECTURE.md; change
// both in the same commit.
import { posix } from "node:path";
import { findCycles } from "./import-cycles.ts";
import { readSource, type SourceReading } from "./source-imports.ts";

/** Path from the root of the repository -> text. */
export type Sources = ReadonlyMap<string, string>;

export interface Violation {
  readonly rule: Rule;
  readonly path: string;
  readonly detail: string;
}

export type Rule =
  | "wall"
  | "cycle"
  | "length"
  | "name"
  | "barrel"
  | "default-export"
  | "process-exit"
  | "session-state"
  | "tool-name"
  | "exported-twice"
  | "root-file"
  | "room";

export const MAX_LINES = 300;

const GROUND = ["base", "domain"];
const FIRST_FLOOR = [
  "history",
  "models",
  "tools",
  "permission",
  "prompt",
  "config",
  "dispatch",
  "checkpoint",
];

/** Which rooms a room may import from, besides itself. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  domain: ["base"],
  ...Object.fromEntries(FIRST_FLOOR.map((room) => [room, GROUND])),
  session: [...GROUND, "history"],
  loop: [...GROUND, "history", "dispatch"],
  app: [...GROUND, ...FIRST_FLOOR, "session", "loop"],
  front: [...GROUND, "app", "session", "config"],
  cli: [...GROUND, "front", "app", "session", "models", "permission", "config"],
  tui: [...GROUND, "front", "config"],
};

const ROOT_FILES = ["src/main.ts", "src/sdk.ts"];
const FORBIDDEN_WORD = /^(?:utils?|helpers?|common|misc|managers?|services?)$/;

export function checkArchitecture(sources: Sources): Violation[] {
  const files = [...sources].map(([path, text]) => ({ path, text, ...readIfCode(path, text) }));
  const edges = new Map(
    files.map(({ path, imports }) => [path, imports.map((name) => resolve(path, name)).filter(isPath)]),
  );
  const toolNames = files.flatMap(({ path, text }) => toolNamesIn(path, text));
  return [
    ...files.flatMap(({ path }) => [...checkName(path), ...checkPlace(path)]),
    ...files.flatMap(({ path, text }) => checkLength(path, text)),
    ...files.filter(({ path }) => isCode(path)).flatMap(({ path, code }) => checkCode(path, code)),
    ...files.flatMap((file) => checkToolNames(file, toolNames)),
    ...checkExports(files.filter(({ path }) => isProduct(path))),
    ...[...edges].flatMap(([path, targets]) => targets.flatMap((target) => checkDoor(path, target))),
    ...findCycles(edges).map((cycle) => ({
      rule: "cycle" as const,
      path: cycle[0] ?? "",
      detail: cycle.join(" -> "),
    })),
  ];
}

function readIfCode(path: string, text: string): SourceReading {
  return isCode(path) ? readSource(text) : { code: "", imports: [], strings: [] };
}

/** The file that an import resolves to; null for packages and built-in modules. */
function resolve(from: string, name: string): string | null {
  return name.startsWith(".") ? posix.join(posix.dirname(from), name) : null;
}

function isPath(path: string | null): path is string {
  return path !== null;
}

function checkDoor(from: string, target: string): Violation[] {
  if (!from.startsWith("src/") || ROOT_FILES.includes(from) || /\.(?:md|json)$/.test(target)) return [];
  if (isTest(from) && target.startsWith("test/support/")) return [];
  const room = roomOf(from);
  const targetRoom = roomOf(target);
  if (room === targetRoom && room !== null) return [];
  if (room !== null && targetRoom !== null && DOORS[room]?.includes(targetRoom)) return [];
  return [{ rule: "wall", path: from, detail: `${room ?? "?"} may not import ${target}` }];
}

/** The first folder under src; null outside of src and for files in its root. */
function roomOf(path: string): string | null {
  const [top, room, ...rest] = path.split("/");
  return top === "src" && room !== undefined && rest.length > 0 ? room : null;
}

function checkPlace(path: string): Violation[] {
  if (!path.startsWith("src/") || ROOT_FILES.includes(path)) return [];
  const room = roomOf(path);
  if (room === null) return [{ rule: "root-file", path, detail: `src holds only ${ROOT_FILES.join(", ")}` }];
  return Object.hasOwn(DOORS, room)
    ? []
    : [{ rule: "room", path, detail: `there is no room called ${room}` }];
}

function checkName(path: string): Violation[] {
  const offences = path.split("/").flatMap((segment) => {
    const stem = segment.replace(/\..*$/, "");
    const word = stem.split(/[-_]/).find((part) => FORBIDDEN_WORD.test(part.toLowerCase()));
    return word ?? (/[-_]v\d+$/i.test(stem) ? stem : []);
  });
  return offences.map((word) => ({
    rule: "name",
    path,
    detail: `"${word}" says nothing: name the behaviour`,
  }));
}

function checkLength(path: string, text: string): Violation[] {
  const lines = text.replace(/\n$/, "").split("\n").length;
  if (!isCode(path) || isTest(path) || isData(path) || lines <= MAX_LINES) return [];
  return [{ rule: "length", path, detail: `${lines} lines, at most ${MAX_LINES}` }];
}

function checkCode(path: string, code: string): Violation[] {
  const violations: Violation[] = [];
  if (/^\s*export\s+default\b|\bas\s+default\b/m.test(code))
    violations.push({ rule: "default-export", path, detail: "exports are named" });
  if (path !== "src/sdk.ts" && isBarrel(code))
    violations.push({ rule: "barrel", path, detail: "it only re-exports: import from the source" });
  // Tests start child processes that exit on purpose.
  if (path !== "src/main.ts" && !isTest(path) && EXIT.test(code))
    violations.push({ rule: "process-exit", path, detail: "only src/main.ts ends the process" });
  const change = isTest(path) || roomOf(path) === "session" ? null : STATE_CHANGE.exec(code);
  if (path.startsWith("src/") && change !== null)
    violations.push({
      rule: "session-state",
      path,
      detail: `"${change[0].trim()}": only src/session changes a session's state`,
    });
  return violations;
}

/** Where a word that is also a tool's name means something else, or is only said. */
export const OTHER_MEANINGS: Readonly<Record<string, string>> = {
  "src/app/demo-tour.ts": "the demo's script makes these calls",
  "src/base/shell-program.ts": "the shell as a program",
  "src/cli/commands.ts": "shells that there are completions for",
  "src/cli/completions.ts": "shells that there are completions for",
  "src/permission/read-only-git.ts": "git's subcommands",
  "src/permission/read-only-table.ts": "programs that only read",
};

function toolNamesIn(path: string, text: string): string[] {
  if (roomOf(path) !== "tools" || isTest(path)) return [];
  return [...text.matchAll(/\bdefineTool\(\{\s*name:\s*"(\w+)"/g)].flatMap((match) => match[1] ?? []);
}

/** A tool says everything about itself; code elsewhere that knows one by its name decides something by it. */
function checkToolNames(
  { path, code, strings }: SourceReading & { readonly path: string },
  names: readonly string[],
): Violation[] {
  const isElsewhere = path.startsWith("src/") && roomOf(path) !== "tools" && !isTest(path);
  if (!isElsewhere || Object.hasOwn(OTHER_MEANINGS, path)) return [];
  const keys = [...code.matchAll(/[{,]\s*(\w+)\s*:/g)].map((match) => match[1]);
  const found = names.filter((name) => strings.includes(name) || keys.includes(name));
  return found.map((name) => ({ rule: "tool-name", path, detail: `${name} is known by its name here` }));
}

/** One name, one thing: whoever searches for it finds one place. */
function checkExports(files: readonly { readonly path: string; readonly code: string }[]): Violation[] {
  const first = new Map<string, string>();
  return files.flatMap(({ path, code }) =>
    [...code.matchAll(EXPORTED_NAME)].flatMap(([, name = ""]): Violation[] => {
      const known = first.get(name);
      if (known === undefined) first.set(name, path);
      if (known === undefined || known === path) return [];
      return [{ rule: "exported-twice", path, detail: `${name} is exported by ${known}, too` }];
    }),
  );
}

const EXPORTED_NAME =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+([\w$]+)/gm;

const EXIT = /\bprocess\s*\??\.\s*(?:reallyExit|exit)\b|\{[^}]*\bexit\b[^}]*\}\s*from\s*"(?:node:)?process"/;

/** The keys of a session's state, as SessionState has them. */
const STATE_KEYS =
  "sessionId|projectId|createdAt|workingDirectory|lastModified|currentModel|title|conversation|usage|work|reviews|untold|runtime|task|extra";
const OF_STATE = String.raw`\b(?:session|state)\??\.(?:${STATE_KEYS})\b(?:\??\.\w+|\[[^\]]*\])*`;
/** Also where a part of it was taken out first: `const { runtime } = session`. */
const OF_PART = String.raw`\b(?:conversation|runtime|usage|task)\.(?:\w+\.)*\w+`;
const ASSIGNED = String.raw`\s*(?:[-+*/|&?]{0,2}=(?![=>])|\+\+|--)`;
const LIST_CHANGED = String.raw`\bconversation\.(?:messages|thoughts)\.(?:push|pop|shift|unshift|splice|sort|reverse|fill)\(`;
const OBJECT_ASSIGNED = String.raw`\bObject\.assign\(\s*(?:\w+\.)*(?:session|state)\b`;
const STATE_CHANGE = new RegExp(`(?:${OF_STATE}|${OF_PART})${ASSIGNED}|${LIST_CHANGED}|${OBJECT_ASSIGNED}`);

const IMPORT_STATEMENT = /\bimport\b[^;"]*"[^"]*"[^;\n]*;?/g;
const RE_EXPORT_STATEMENT =
  /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})(?:\s*from\s*"[^"]*"[^;\n]*)?;?/g;

function isBarrel(code: string): boolean {
  const withoutImports = code.replace(IMPORT_STATEMENT, "");
  const rest = withoutImports.replace(RE_EXPORT_STATEMENT, "");
  return rest !== withoutImports && rest.trim() === "";
}

function isCode(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

function isTest(path: string): boolean {
  return path.startsWith("test/") || /\.test\.ts$/.test(path);
}

function isProduct(path: string): boolean {
  return path.startsWith("src/") && path !== "src/sdk.ts" && isCode(path) && !isTest(path);
}

function isData(path: string): boolean {
  return /\.(?:data|generated)\.ts$/.test(path);
}
