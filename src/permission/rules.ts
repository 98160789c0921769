// Rules as people write them: TOOL or TOOL(PATTERN). The first match decides, deny before ask before allow.
//
//   bash                      any shell command
//   bash(npm test)            this command, word for word
//   bash(git push:*)          commands that begin with these words (`bash(git push *)` means the same)
//   read(~/.ssh/**)           reading there, by any tool or command; read_file, grep, glob and list_dir work the same
//   write(src/**)             writing there, by any tool or by `>`; write_file and update_file work the same
//   web_fetch(example.com)    this host; `*.example.com` its subdomains; also opens it for commands in the sandbox
//   connect(example.com)      a host that commands in the sandbox may reach, or may not
//   some_tool                 any other tool, by name
//
// Allow is narrow and deny is wide. An allow rule needs the command's words exactly as written, and without a path it
// doesn't cover secrets, places outside the project or configuration. A deny or ask rule also finds the command behind
// sudo, env, xargs, `sh -c` and the like, by its full path, with options in between, and with any further words (`:*` is
// implied); a * inside a word matches anything (`git push*`). Deny `rm` rather than `rm -rf`, which also finds `rm -fr`
// and `rm -r -f`, but not `rm --recursive`.
import type { RuleTopic } from "../domain/grant.ts";
import type { RuleInForce, RuleSource, Verdict } from "../domain/permission.ts";
import type { Tool } from "../domain/tool.ts";

export interface PermissionRule extends RuleInForce {
  readonly subject: RuleSubject;
}

/** An allow rule applies only to the `tool` it names. */
type RuleSubject =
  | {
      readonly type: "command";
      readonly tool: string;
      readonly words: readonly string[];
      readonly open: boolean;
    }
  | {
      readonly type: "path";
      readonly access: Access;
      readonly tool: string;
      /** It also applies to shell commands. */
      readonly reachesShell: boolean;
      readonly pattern: string | null;
    }
  | { readonly type: "host"; readonly tool: string; readonly host: string; readonly subdomains: boolean }
  | { readonly type: "tool"; readonly name: string };

export type Access = "read" | "write";

/** The names that may precede a pattern in a rule, and what the pattern is about. */
export type RuleVocabulary = ReadonlyMap<string, RuleWord>;

interface RuleWord {
  readonly topic: RuleTopic;
  readonly reachesShell: boolean;
}

/** Not a tool: it is about what commands in the sandbox may reach. */
const CONNECT = "connect";

/** Taken from the tools' declarations. `read` and `write` cover all tools of a kind. */
export function ruleVocabulary(
  tools: readonly Pick<Tool, "name" | "ruleTopic" | "rulesReachShell">[],
): RuleVocabulary {
  const words = new Map<string, RuleWord>();
  for (const topic of ["read", "write"] as const) words.set(topic, { topic, reachesShell: true });
  words.set(CONNECT, { topic: "host", reachesShell: true });
  for (const { name, ruleTopic: topic, rulesReachShell = false } of tools)
    if (topic !== undefined) words.set(name, { topic, reachesShell: rulesReachShell });
  return words;
}

const WRITTEN_IN: Readonly<Record<RuleSource, string>> = {
  person: " of your configuration",
  project: " of this project's configuration",
  "command line": "",
  session: "",
  remembered: " of remembered-rules.jsonl in your configuration folder",
};

/** Of a rule that is wrong. */
const MAX_SHOWN = 200;

export function parseRules(
  texts: readonly string[],
  verdict: Verdict,
  source: RuleSource,
  vocabulary: RuleVocabulary,
): { readonly rules: readonly PermissionRule[]; readonly problems: readonly string[] } {
  const rules: PermissionRule[] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const subject = parseSubject(text.trim(), vocabulary);
    if (typeof subject !== "string") rules.push({ verdict, source, text: text.trim(), subject });
    else
      problems.push(
        `The ${verdict} rule ${JSON.stringify(text.slice(0, MAX_SHOWN))}${WRITTEN_IN[source]} can't be used: ${subject}.`,
      );
  }
  return { rules, problems };
}

/** A longer one takes long to compare. */
const MAX_CHARACTERS = 1_000;

/** Returns a string that says what is wrong with the rule. */
function parseSubject(text: string, vocabulary: RuleVocabulary): RuleSubject | string {
  const written = /^([^()]*)(?:\(([\s\S]*)\))?$/.exec(text);
  if (written === null) return "it must be TOOL or TOOL(PATTERN)";
  const tool = written[1] ?? "";
  const pattern = written[2];
  if (!/^[A-Za-z][\w.-]*$/.test(tool)) return "it must begin with the name of a tool, such as bash or write";
  // With the spelling of another program it would match nothing, and a deny rule must not fail silently.
  const small = tool.toLowerCase();
  if (tool !== small && vocabulary.has(small)) return `the tool is called ${small}`;
  if (pattern?.trim() === "") return "there is nothing between the parentheses";
  if (hasControlCharacter(text)) return "it contains a control or invisible character";
  if (text.length > MAX_CHARACTERS) return `it has more than ${MAX_CHARACTERS} characters`;
  const word = vocabulary.get(tool);
  switch (word?.topic) {
    case "command":
      return pattern === undefined
        ? { type: "command", tool, words: [], open: true }
        : parseCommand(tool, pattern);
    case "read":
    case "write": {
      const { topic: access, reachesShell } = word;
      return { type: "path", access, tool, reachesShell, pattern: pattern?.trim() ?? null };
    }
    case "host":
      if (pattern !== undefined) return parseHost(tool, pattern.trim());
      return tool === CONNECT ? `write ${CONNECT}(HOST)` : { type: "tool", name: tool };
    case undefined:
      if (pattern === undefined) return { type: "tool", name: tool };
      return `${tool} takes no pattern; these do: ${[...vocabulary.keys()].join(", ")}`;
  }
}

function parseCommand(tool: string, pattern: string): RuleSubject | string {
  const open = /(?::|\s)\*\s*$/.exec(pattern);
  const words = splitWords(open === null ? pattern : pattern.slice(0, open.index));
  if (words === null) return "a quote isn't closed";
  if (words.length === 0)
    return open === null ? "no command is named" : `write plain ${tool} for any command`;
  if (words[0]?.includes("*")) return "the command's name can't contain a *";
  return { type: "command", tool, words, open: open !== null };
}

function parseHost(tool: string, pattern: string): RuleSubject | string {
  const subdomains = pattern.startsWith("*.");
  const host = (subdomains ? pattern.slice(2) : pattern).toLowerCase();
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/.test(host)) {
    return "it must name a host such as example.com or *.example.com, without scheme, port or path";
  }
  return { type: "host", tool, host, subdomains };
}

/** Splits like a shell, but knows only plain quotes. null if a quote isn't closed. */
function splitWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const word = /^(?:'[^']*'|"[^"]*"|[^\s'"])+/.exec(rest)?.[0];
    if (word === undefined) return null;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
    rest = rest.slice(word.length);
    if (rest !== "" && !/^\s/.test(rest)) return null;
    rest = rest.trimStart();
  }
  return words;
}

export function hasControlCharacter(text: string): boolean {
  return /[\p{Cc}\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/u.test(text);
}
