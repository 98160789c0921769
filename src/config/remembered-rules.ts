// The rules that a person keeps for a project without writing them into it: one line for each time they kept one or took
// it back. Lines are only ever added, so two windows that write at once lose nothing.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import type { Environment } from "../base/xdg.ts";
import { ConfigError, errorMessage } from "../domain/error.ts";
import type { RuleInForce, Verdict } from "../domain/permission.ts";
import { personalFolder } from "./paths.ts";

/** `project` is the real path of its top folder. */
export interface RememberedRules {
  readonly path: string;
  /** `problems` are sentences for the person about lines that can't be read. */
  readonly read: (project: string) => {
    readonly rules: Readonly<Record<Verdict, readonly string[]>>;
    readonly problems: readonly string[];
  };
  /** It is on disk when this returns. Throws if it can't be written. */
  readonly keep: (project: string, rule: RememberedRule) => void;
  readonly forget: (project: string, rule: RememberedRule) => void;
}

type RememberedRule = Pick<RuleInForce, "verdict" | "text">;

interface Line {
  readonly project: string;
  readonly verdict: Verdict;
  readonly rule: string;
  readonly kept: boolean;
}

/** In a worktree that this program made, the rules are those of the main tree. */
export function rememberedRules(env: Environment, mainTree?: string): RememberedRules {
  const path = join(personalFolder(env), "remembered-rules.jsonl");
  const note = (place: string, { verdict, text: rule }: RememberedRule, kept: boolean) =>
    append(path, { project: mainTree ?? place, verdict, rule, kept });
  return {
    path,
    read: (place) => read(path, mainTree ?? place),
    keep: (place, rule) => note(place, rule, true),
    forget: (place, rule) => note(place, rule, false),
  };
}

function read(path: string, project: string): ReturnType<RememberedRules["read"]> {
  const kept: Readonly<Record<Verdict, Set<string>>> = { allow: new Set(), ask: new Set(), deny: new Set() };
  const problems: string[] = [];
  for (const [index, text] of textOf(path).split("\n").entries()) {
    if (text.trim() === "") continue;
    const line = readLine(text);
    if (line === null)
      problems.push(`Line ${index + 1} of ${path} is damaged and ignored: correct or delete it.`);
    else if (line.project !== project) continue;
    else if (line.kept) kept[line.verdict].add(line.rule);
    else kept[line.verdict].delete(line.rule);
  }
  return { rules: { allow: [...kept.allow], ask: [...kept.ask], deny: [...kept.deny] }, problems };
}

/** A file that can't be read may hold a deny rule, so going on without it would not be safe. */
function textOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "";
  try {
    if (!found.isFile()) throw new Error("it is not a file");
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${path} can't be read: ${errorMessage(error)}`);
  }
}

function readLine(text: string): Line | null {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { project, verdict, rule, kept } = parsed.value;
  if (typeof project !== "string" || typeof rule !== "string" || typeof kept !== "boolean") return null;
  if (verdict !== "allow" && verdict !== "ask" && verdict !== "deny") return null;
  return { project, verdict, rule, kept };
}

/** The line break comes first, so that a line that a power cut left unfinished damages no other. */
function append(path: string, line: Line): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, `\n${JSON.stringify(line)}`, { mode: 0o600 });
    chmodSync(path, 0o600);
  } catch (error) {
    throw new ConfigError(`${path} can't be written: ${errorMessage(error)}`);
  }
}
