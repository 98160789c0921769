// What the sessions command asks for: a session by whatever a person calls it, and what is in it.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../base/xdg.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Message } from "../domain/message.ts";
import { type ReadSession, readSession } from "../session/open.ts";
import { pathsFrom, type SessionPaths, sessionFolder } from "../session/paths.ts";
import { findSession } from "../session/store.ts";

/** By its id, a beginning of it that no other has, or the path of one of its files. */
export async function locateSession(env: Environment, cwd: string, name: string): Promise<SessionPaths> {
  const file = resolve(cwd, name);
  if (/\.jsonl?$/.test(name)) {
    if (existsSync(file)) return pathsFrom(file);
    throw new TunacodeError("usage", `There is no file ${file}.`);
  }
  const found = await findSession(sessionFolder(env), name);
  switch (found.type) {
    case "found":
      return found.paths;
    case "missing":
      if (existsSync(file))
        throw new TunacodeError("usage", `${name} is no session's file: those end in .json or .jsonl.`);
      throw new TunacodeError("usage", `There is no session ${name}. \`tunacode sessions\` lists them.`);
    case "ambiguous":
      throw new TunacodeError("usage", `${name} fits several sessions: ${found.ids.join(", ")}.`);
  }
}

/** All that was said, with a prompt nobody answered: it is no part of the history, but must not seem lost. */
export function allMessages({ state, unsentPrompt }: ReadSession): readonly Message[] {
  const { messages } = state.conversation;
  if (unsentPrompt === undefined) return messages;
  return [...messages, { kind: "request", parts: [{ kind: "user-prompt", content: unsentPrompt }] }];
}

/** To look at: nothing on disk is changed, whoever may be writing to it. */
export async function lookAtSession(paths: SessionPaths): Promise<ReadSession> {
  const session = await readSession(paths);
  if (session === undefined) throw new TunacodeError("usage", `There is no session in ${paths.folder}.`);
  return session;
}
