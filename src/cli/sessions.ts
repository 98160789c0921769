// `tunacode sessions` lists, searches, shows and deletes conversations.

import { existsSync } from "node:fs";
import { locateSession, lookAtSession } from "../app/sessions.ts";
import { defined } from "../base/defined.ts";
import type { JsonValue } from "../base/json.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { contentText } from "../domain/content.ts";
import { TunacodeError } from "../domain/error.ts";
import { isAnswer, type Part } from "../domain/part.ts";
import { describeSummedUp, type ShownMessage } from "../domain/summary.ts";
import type { ReadSession } from "../session/open.ts";
import { type SessionPaths, sessionFolder } from "../session/paths.ts";
import { projectIdsOf } from "../session/project.ts";
import { searchSessions } from "../session/search.ts";
import { readShown } from "../session/shown-conversation.ts";
import { deleteSession, type ListOptions, listSessions, type SessionSummary } from "../session/store.ts";
import { callLabel } from "./call-labels.ts";
import type { Console } from "./console.ts";
import type { FlagValues } from "./flags.ts";
import { type Invocation, wantsJson } from "./parse-flags.ts";
import { findPlace } from "./place.ts";
import { encodeSession, encodeSummary } from "./session-json.ts";
import { table } from "./table.ts";

export async function runSessions({ flags, operands }: Invocation, console: Console): Promise<number> {
  const [action = "list", ...words] = operands;
  switch (action) {
    case "list":
      if (words.length > 0) throw usage("list takes no ID. One session: tunacode sessions show ID");
      return list(flags, console);
    case "search":
      return search(words.join(" "), flags, console);
    case "show":
      return show(only(words), flags, console);
    case "path":
      return path(only(words), flags, console);
    case "delete":
      return remove(only(words), flags, console);
    default:
      throw usage(`sessions can list, search, show, path and delete, but not ${action}.`);
  }
}

async function list(flags: FlagValues, console: Console): Promise<number> {
  const found = await listSessions(sessionFolder(console.env), scope(flags, console));
  if (wantsJson(flags)) await printJson(found.map(encodeSummary), console);
  else if (found.length > 0) await console.print(table(found.map(row)));
  else console.tell("This project has no sessions yet. For those of every project: tunacode sessions --all");
  return 0;
}

/** json prints one object per line, as matches are found. */
async function search(words: string, flags: FlagValues, console: Console): Promise<number> {
  if (words.trim() === "") throw usage("search needs the words to look for.");
  const json = wantsJson(flags);
  const hits = searchSessions(sessionFolder(console.env), words, scope(flags, console));
  for await (const { session, excerpt } of hits) {
    if (json) await console.print(`${JSON.stringify({ ...encodeSummary(session), excerpt })}\n`);
    else await console.print(`${table([row(session)])}    ${stripTerminalControls(excerpt)}\n`);
  }
  return 0;
}

async function show(name: string, flags: FlagValues, console: Console): Promise<number> {
  const paths = await locate(name, flags, console);
  const session = await lookAtSession(paths);
  const { notes, repairs } = session.report;
  for (const { why } of [...notes, ...repairs]) console.tell(`tunacode: ${why}`);
  if (wantsJson(flags)) await printJson(encodeSession(session), console);
  else {
    const { messages } = session.state.conversation;
    const shown = (await readShown(paths, messages)).list(messages);
    await console.print(transcript(session, shown, console));
  }
  return 0;
}

async function path(name: string, flags: FlagValues, console: Console): Promise<number> {
  const { snapshot, journal, files } = await locate(name, flags, console);
  if (wantsJson(flags)) await printJson({ snapshot, journal, files }, console);
  else await console.print(`${existsSync(snapshot) ? snapshot : journal}\n`);
  return 0;
}

async function remove(name: string, flags: FlagValues, console: Console): Promise<number> {
  const paths = await locate(name, flags, console);
  await settleRestores(paths, flags, console);
  const deleted = await deleteSession(paths);
  if (deleted.type === "held") {
    const holder = deleted.holder === undefined ? "another window" : `process ${deleted.holder.pid}`;
    throw usage(`Session ${paths.sessionId} is open in ${holder}. Close it there first.`);
  }
  console.tell(`Session ${paths.sessionId} is deleted.`);
  return 0;
}

/** Without its session, files that were being put back could neither be finished nor brought back. */
async function settleRestores(paths: SessionPaths, flags: FlagValues, console: Console): Promise<void> {
  const { pendingRestores, restoresFolder } = await import("../app/pending-restores.ts");
  const isPending = () => pendingRestores(restoresFolder(console.env)).isOf(paths);
  if (!isPending()) return;
  const { undoOfSession } = await import("../app/open-undo.ts");
  const { env, cwd } = findPlace(console, flags.cwd);
  // Opening it finishes what was cut off.
  const session = await undoOfSession({ cwd, env, session: paths.sessionId, canChange: true });
  for (const notice of session.notices) console.tell(`tunacode: ${notice}`);
  await session.close();
  if (!isPending()) return;
  const name = `${paths.projectId}_${paths.sessionId}_*.json`;
  throw usage(
    `An undo of session ${paths.sessionId} was cut off and can't be finished now. To give it up, delete ${restoresFolder(console.env)}/${name}.`,
  );
}

function locate(name: string, flags: FlagValues, console: Console) {
  return locateSession(console.env, findPlace(console, flags.cwd).cwd, name);
}

function only([name, ...others]: readonly string[]): string {
  if (name === undefined) throw usage("Which session? Give an ID from the list of tunacode sessions.");
  if (others.length > 0) throw usage("Only one session at a time.");
  return name;
}

function scope(flags: FlagValues, console: Console): ListOptions {
  return {
    ...(flags.all !== true && { projectIds: projectIdsOf(findPlace(console, flags.cwd).cwd) }),
    ...defined({ limit: flags.limit }),
  };
}

function row({ paths, modifiedMs, title, model }: SessionSummary): string[] {
  const when = new Date(modifiedMs).toISOString().slice(0, 16).replace("T", " ");
  return [paths.sessionId.slice(0, 8), when, model, title];
}

function transcript(
  { state }: ReadSession,
  messages: readonly ShownMessage[],
  { printsToTerminal }: Console,
): string {
  const head = `# ${state.title || state.sessionId}\n${state.currentModel} · ${state.workingDirectory}\n`;
  const parts = messages.flatMap((message) =>
    message.kind === "summed-up"
      ? [`— ${describeSummedUp(message)} —\n${indented(message.summary)}\n`]
      : // What the program remarked to the model is nobody's words. The json output has it.
        message.parts
          .filter((part: Part) => part.kind !== "retry-prompt" || isAnswer(part))
          .map((part) => `${partLines(part)}\n`),
  );
  const text = [head, ...parts].join("\n");
  return printsToTerminal ? stripTerminalControls(text) : text;
}

/** Lines shown of a return. The json output has all of it. */
const MOST_LINES = 10;

function partLines(part: Part): string {
  switch (part.kind) {
    case "user-prompt":
      return contentText(part.content).replace(/^/gm, "> ");
    case "text":
      return part.content;
    case "thinking":
      return part.content.replace(/^/gm, "~ ");
    case "tool-call":
      return `[${callLabel(part.toolName, part.args)}]`;
    case "tool-return":
      return indented(contentText(part.content));
    case "retry-prompt":
      return indented(typeof part.content === "string" ? part.content : JSON.stringify(part.content));
    case "unknown":
      return indented(JSON.stringify(part.raw));
  }
}

function indented(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown =
    lines.length > MOST_LINES
      ? [...lines.slice(0, MOST_LINES), `(${lines.length - MOST_LINES} more lines)`]
      : lines;
  return shown.map((line) => `    ${line}`).join("\n");
}

async function printJson(value: JsonValue, console: Console): Promise<void> {
  await console.print(`${JSON.stringify(value, null, 2)}\n`);
}

function usage(message: string): TunacodeError {
  return new TunacodeError("usage", `${message}\nTry: tunacode help sessions`);
}
