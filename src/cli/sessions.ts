// `tunacode sessions`: list, read and delete conversations.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "../base/json.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Message } from "../domain/message.ts";
import type { Holder } from "../session/lease.ts";
import { type ReadSession, readSession } from "../session/open.ts";
import { pathsFrom, type SessionPaths, sessionFolder } from "../session/paths.ts";
import { projectIdOf } from "../session/project.ts";
import { deleteSession, findSession, listSessions, type SessionSummary } from "../session/store.ts";
import { encodeMessages } from "../session/wire.ts";
import type { Console } from "./console.ts";
import { encodeUsage } from "./json.ts";
import { wantsJson } from "./output-format.ts";
import type { Invocation } from "./parse-flags.ts";
import { findPlace } from "./place.ts";
import { partLines } from "./shown-part.ts";
import { table } from "./table.ts";

export async function run({ flags, operands }: Invocation, console: Console): Promise<number> {
  const [action = "list", id, ...others] = operands;
  if (others.length > 0)
    throw new TunacodeError("usage", "One session at a time. Try: tunacode help sessions");
  const json = wantsJson(flags);
  const folder = sessionFolder(console.env);
  switch (action) {
    case "list": {
      if (id !== undefined)
        throw new TunacodeError("usage", "list takes no ID. Try: tunacode sessions show ID");
      const project = flags.all === true ? {} : { projectId: projectIdOf(findPlace(console, flags.cwd).cwd) };
      const found = await listSessions(folder, project);
      if (json) await console.print(`${JSON.stringify(found.map(encodeSummary), null, 2)}\n`);
      else if (found.length > 0) await console.print(table(found.map(row)));
      else console.tell("There are no sessions here yet. Those of every project: tunacode sessions --all");
      return 0;
    }
    case "show": {
      const paths = await locate(folder, id);
      const session = await readSession(paths);
      if (session === undefined) throw missing(paths.sessionId);
      for (const { why } of session.report.notes) console.tell(`tunacode: ${why}`);
      const shown = json
        ? `${JSON.stringify(encodeSession(session), null, 2)}\n`
        : transcript(session, console);
      await console.print(shown);
      return 0;
    }
    case "path": {
      const { snapshot, journal } = await locate(folder, id);
      await console.print(`${existsSync(snapshot) ? snapshot : journal}\n`);
      return 0;
    }
    case "delete": {
      const paths = await locate(folder, id);
      const deleted = await deleteSession(paths);
      if (deleted.type === "held")
        throw new TunacodeError(
          "usage",
          `The session is open in ${holderName(deleted.holder)}. End that first.`,
        );
      console.tell(`Session ${paths.sessionId} is deleted.`);
      return 0;
    }
    default:
      throw new TunacodeError("usage", `sessions can list, show, path and delete; not ${action}.`);
  }
}

/** By id, by a beginning of it, or by the path of one of its files. */
export async function locate(folder: string, id: string | undefined): Promise<SessionPaths> {
  if (id === undefined)
    throw new TunacodeError("usage", "Which session? Give the ID that tunacode sessions shows.");
  if (/\.jsonl?$/.test(id)) {
    if (!existsSync(id)) throw new TunacodeError("usage", `There is no file ${id}.`);
    return pathsFrom(resolve(id));
  }
  const found = await findSession(folder, id);
  if (found.type === "found") return found.paths;
  if (found.type === "missing") throw missing(id);
  throw new TunacodeError("usage", `Several sessions begin with ${id}: ${found.ids.join(", ")}`);
}

export function holderName(holder: Holder | undefined): string {
  return holder === undefined ? "another window" : `process ${holder.pid}`;
}

function missing(id: string): TunacodeError {
  return new TunacodeError("usage", `There is no session ${id}. Those there are: tunacode sessions --all`);
}

function row({ paths, modifiedMs, title, model }: SessionSummary): string[] {
  const when = new Date(modifiedMs).toISOString().slice(0, 16).replace("T", " ");
  return [paths.sessionId.slice(0, 8), when, model, title];
}

function encodeSummary({
  paths,
  modifiedMs,
  title,
  model,
  createdAt,
  workingDirectory,
}: SessionSummary): JsonObject {
  return {
    session_id: paths.sessionId,
    project_id: paths.projectId,
    title,
    model,
    created_at: createdAt,
    last_modified: new Date(modifiedMs).toISOString(),
    working_directory: workingDirectory,
    path: paths.snapshot,
  };
}

function encodeSession({ state, report }: ReadSession): JsonObject {
  return {
    session_id: state.sessionId,
    project_id: state.projectId,
    title: state.title,
    model: state.currentModel,
    created_at: state.createdAt,
    last_modified: state.lastModified,
    working_directory: state.workingDirectory,
    usage: encodeUsage(state.usage.sessionTotal),
    notes: report.notes.map(({ kind, why }) => ({ kind, why })),
    messages: encodeMessages(state.conversation.messages),
  };
}

function transcript({ state }: ReadSession, { printsToTerminal }: Console): string {
  const head = `# ${state.title || state.sessionId}\n${state.currentModel} · ${state.workingDirectory}\n`;
  const text = [head, ...state.conversation.messages.map(messageText)].join("\n");
  return printsToTerminal ? stripTerminalControls(text) : text;
}

function messageText({ parts }: Message): string {
  return parts.map((part) => `${partLines(part)}\n`).join("\n");
}
