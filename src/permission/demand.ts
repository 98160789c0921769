// What a tool call would do, as a list of demands; each is judged for itself and the strictest answer counts.
import { isAbsolute, join } from "node:path";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { PermissionContext } from "./context.ts";
import type { PathUse, ReadOnlyAnswer } from "./read-only-answer.ts";
import type { KnownWord } from "./rule-match.ts";
import { type Access, PATH_TOOLS } from "./rules.ts";

export type Demand =
  | PathDemand
  | CommandDemand
  /** A part of a shell command that can't be told before it runs. */
  | { readonly type: "doubt"; readonly why: string }
  | { readonly type: "fetch"; readonly host: string }
  | { readonly type: "tool"; readonly name: string };

export interface PathDemand extends Omit<PathUse, "path"> {
  readonly type: "path";
  readonly access: Access;
  /** The tool it counts for; a shell command reads as read_file and writes as write_file. */
  readonly tool: string;
  /** Absolute; links and `..` not yet followed. */
  readonly path: string;
  /** Done by a shell command, which the sandbox holds where there is one. */
  readonly shell?: true;
}

export interface CommandDemand {
  readonly type: "command";
  readonly text: string;
  readonly words: readonly KnownWord[];
  readonly folders: ReadonlySet<string>;
  readonly answer: ReadOnlyAnswer;
}

export interface Demands {
  readonly demands: readonly Demand[];
  /** The simple commands of a shell command. */
  readonly commands?: readonly string[];
}

/** Tools that neither touch a file nor leave the machine; present_plan asks the person itself. */
const FREE_TOOLS = new Set(["submit", "present_plan"]);

/** What they do is said by `directory`; a `filepath` that a model adds means nothing to them, so nothing here either. */
const FOLDER_TOOLS = new Set(["grep", "glob", "list_dir"]);

/** Of any tool but bash, whose demands take a whole reader of shell commands: see shell-demand.ts. */
export function toolDemands(toolName: string, args: JsonObject, context: PermissionContext): Demands {
  if (FREE_TOOLS.has(toolName)) return { demands: [] };
  if (toolName === "web_fetch") return { demands: [{ type: "fetch", host: hostOf(args["url"]) }] };
  if (toolName === "research_codebase") {
    const { directories } = args;
    const folders = Array.isArray(directories) && directories.length > 0 ? directories : ["."];
    return { demands: folders.map((folder) => pathDemand("list_dir", folder, "names", context)) };
  }
  const access = Object.hasOwn(PATH_TOOLS, toolName) ? PATH_TOOLS[toolName] : undefined;
  if (access === undefined) return { demands: [{ type: "tool", name: toolName }] };
  if (!FOLDER_TOOLS.has(toolName) && typeof args["filepath"] === "string")
    return { demands: [pathDemand(toolName, args["filepath"], "file", context)] };
  const directory = typeof args["directory"] === "string" ? args["directory"] : ".";
  const extent = toolName === "grep" ? "file" : "names";
  const pattern = { glob: args["pattern"], grep: args["glob"] }[toolName];
  const places = typeof pattern === "string" ? [directory, globStart(pattern, directory)] : [directory];
  return { demands: places.map((place) => pathDemand(toolName, place, extent, context)) };
}

/** The folder a pattern starts from, as the tools see it; one that climbs after a wildcard may get anywhere. */
function globStart(pattern: string, directory: string): string {
  const start = pattern.replace(/[^/]*[*?[{\\][\s\S]*$/, "");
  if (pattern.slice(start.length).includes("..")) return "/";
  return /^[/~]/.test(start) ? start : join(directory, start);
}

function pathDemand(
  tool: string,
  path: JsonValue,
  extent: PathDemand["extent"],
  context: PermissionContext,
): PathDemand {
  return { type: "path", access: PATH_TOOLS[tool] ?? "write", tool, path: toolPath(path, context), extent };
}

/** As the tools resolve what a model writes. */
export function toolPath(path: JsonValue | undefined, { home, workspace }: PermissionContext): string {
  const written = typeof path === "string" ? path : ".";
  return absolute(/^~(\/|$)/.test(written) ? home + written.slice(1) : written, workspace.cwd);
}

/** Not normalised: `link/..` leads elsewhere than it seems. */
export function absolute(path: string, folder: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

function hostOf(url: JsonValue | undefined): string {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : "";
}
