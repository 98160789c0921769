// `tunacode sessions [list|search WORDS|show ID|path ID|delete ID]`
import { parseArgs } from "node:util";
import { locateSession, lookAtSession } from "../app/sessions.ts";
import type { JsonValue } from "../base/json.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import type { Environment } from "../base/xdg.ts";
import { contentText } from "../domain/content.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import type { Message } from "../domain/message.ts";
import type { Part } from "../domain/part.ts";
import { sessionFolder } from "../session/paths.ts";
import { projectIdOf } from "../session/project.ts";
import { searchSessions } from "../session/search.ts";
import { deleteSession, listSessions, type SessionSummary } from "../session/store.ts";
import { sessionJson, summaryJson } from "./json.ts";

export interface SessionsInput {
  readonly arguments: readonly string[];
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly cwd: string;
  readonly environment: Environment;
}

const USAGE = `Usage: tunacode sessions [list | search WORDS | show ID | path ID | delete ID]
  ID            a session's id, or a beginning of it that no other has
  --all         of all projects, not only of this one
  --limit N     at most so many
  --output text|json`;

const DONE = 0;
const FAILED = 1;
const USAGE_ERROR = 2;

export async function sessionsCommand(input: SessionsInput): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...input.arguments],
      allowPositionals: true,
      options: {
        all: { type: "boolean", default: false },
        limit: { type: "string" },
        output: { type: "string", default: "text" },
        "output-json": { type: "boolean", default: false },
      },
    });
    const [action = "list", ...rest] = positionals;
    const json = values["output-json"] || values.output === "json";
    if (!json && values.output !== "text") throw usage(`There is no output ${values.output}.`);
    const scope = {
      ...(values.all ? {} : { projectId: projectIdOf(input.cwd) }),
      ...(values.limit === undefined ? {} : { limit: count(values.limit) }),
    };
    return await act(action, rest.join(" "), scope, json, input);
  } catch (error) {
    const isUsage = error instanceof TypeError || (error instanceof TunacodeError && error.code === "usage");
    input.stderr(`${errorMessage(error)}\n${isUsage ? `${USAGE}\n` : ""}`);
    return isUsage ? USAGE_ERROR : FAILED;
  }
}

type Scope = Parameters<typeof listSessions>[1];

async function act(
  action: string,
  name: string,
  scope: Scope,
  json: boolean,
  input: SessionsInput,
): Promise<number> {
  const { stdout, stderr, environment, cwd } = input;
  const folder = sessionFolder(environment);
  const print = (value: JsonValue) => stdout(`${JSON.stringify(value)}\n`);
  if (action === "list") {
    const sessions = await listSessions(folder, scope);
    if (json) print(sessions.map(summaryJson));
    else stdout(sessions.map((session) => `${line(session)}\n`).join(""));
    if (sessions.length === 0 && !json)
      stderr("No sessions here yet. --all lists those of other projects.\n");
    return DONE;
  }
  if (name === "") throw usage(`sessions ${action} needs to know which.`);
  if (action === "search") {
    for await (const { session, excerpt } of searchSessions(folder, name, scope)) {
      if (json) print({ ...summaryJson(session), excerpt });
      else stdout(`${line(session)}\n    ${stripTerminalControls(excerpt)}\n`);
    }
    return DONE;
  }
  if (!["show", "path", "delete"].includes(action)) throw usage(`There is no sessions ${action}.`);
  const paths = await locateSession(environment, cwd, name);
  if (action === "path") {
    stdout(`${paths.journal}\n`);
    return DONE;
  }
  if (action === "delete") {
    const deleted = await deleteSession(paths);
    if (deleted.type === "deleted") return DONE;
    stderr(`Session ${paths.sessionId} is open in another window${holderOf(deleted.holder)}: not deleted.\n`);
    return FAILED;
  }
  const { state, report } = await lookAtSession(paths);
  const { messages } = state.conversation;
  if (json) {
    print(sessionJson(state, report));
  } else stdout(messages.map((message) => `${stripTerminalControls(text(message))}\n`).join("\n"));
  for (const { why } of [...report.notes, ...report.repairs]) stderr(`${why}\n`);
  return DONE;
}

function usage(problem: string): TunacodeError {
  return new TunacodeError("usage", problem);
}

function count(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw usage("--limit is a number from 1 on.");
  return number;
}

function holderOf(holder: { pid: number } | undefined): string {
  return holder === undefined ? "" : ` (process ${holder.pid})`;
}

function line({ paths, modifiedMs, title }: SessionSummary): string {
  const when = new Date(modifiedMs).toISOString().slice(0, 16).replace("T", " ");
  return `${paths.sessionId.slice(0, 8)}  ${when}  ${stripTerminalControls(title)}`;
}

function text({ parts }: Message): string {
  return parts
    .map(partText)
    .filter((each) => each !== "")
    .join("\n");
}

function partText(part: Part): string {
  switch (part.kind) {
    case "user-prompt":
      return `> ${contentText(part.content).replaceAll("\n", "\n> ")}`;
    case "text":
      return part.content;
    case "tool-call":
      return `* ${part.toolName} ${JSON.stringify(part.args)}`;
    case "tool-return":
      return indented(contentText(part.content));
    case "retry-prompt":
      return indented(typeof part.content === "string" ? part.content : JSON.stringify(part.content));
    case "thinking":
    case "unknown":
      return "";
  }
}

function indented(words: string): string {
  return `  ${words.replaceAll("\n", "\n  ")}`;
}
