// An agent on a project on disk, with real tools, a model that follows a script, and undo.
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Agent, openAgent } from "../../src/app/compose.ts";
import { openUndo } from "../../src/app/open-undo.ts";
import { runRequest } from "../../src/app/run-request.ts";
import type { AgentSettings } from "../../src/app/settings.ts";
import type { Undo } from "../../src/app/undo.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import type { RequestId } from "../../src/domain/ids.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";

export interface UndoProject {
  readonly root: string;
  readonly agent: Agent;
  readonly undo: Undo;
  /** One request. Its events are passed on one by one; the next thing happens when the last one is dealt with. */
  readonly ask: (
    turns: readonly ScriptedTurn[] | NextTurn,
    requestId?: RequestId,
  ) => AsyncGenerator<AgentEvent>;
  /** One request that runs these commands, one after another; its events. */
  readonly run: (...commands: readonly string[]) => Promise<readonly AgentEvent[]>;
  readonly close: () => Promise<void>;
}

export type NextTurn = () => ScriptedTurn;

export interface UndoProjectSettings {
  readonly session?: AgentSettings["session"];
  readonly undo?: AgentSettings["undo"];
  readonly own?: readonly Tool[];
  readonly notify?: (text: string) => void;
}

/** base holds `project`, and gets `home`, where everything of ours is. */
export async function openUndoProject(
  base: string,
  settings: UndoProjectSettings = {},
): Promise<UndoProject> {
  const root = join(base, "project");
  const home = join(base, "home");
  mkdirSync(join(home, "tmp"), { recursive: true });
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Test\n\temail = test@example.com\n");
  const { session = { type: "new" }, undo, own = [], notify = () => {} } = settings;
  let next: NextTurn = () => [];
  const agent = await openAgent({
    cwd: root,
    env: {
      HOME: home,
      PATH: process.env["PATH"],
      TMPDIR: join(home, "tmp"),
      XDG_DATA_HOME: dataFolder(base),
    },
    session,
    models: { scripted: scriptedModel({ name: "demo:script", turns: () => next() }) },
    permission: { mode: "yolo", rules: [], sandbox: "off" },
    tools: { own },
    ...(undo && { undo }),
    trusted: false,
    notify,
  });
  const ask = async function* (turns: readonly ScriptedTurn[] | NextTurn, requestId?: RequestId) {
    const waiting = typeof turns === "function" ? [] : [...turns];
    next = typeof turns === "function" ? turns : () => waiting.shift() ?? [{ text: "Done." }];
    yield* runRequest("Go on.", "demo:script", agent.manager, requestId === undefined ? {} : { requestId });
  };
  return {
    root,
    agent,
    undo: openUndo(agent),
    ask,
    run: async (...commands) =>
      Array.fromAsync(ask(commands.map((command) => [{ call: "bash", args: { command, cwd: root } }]))),
    close: agent.close,
  };
}

export function dataFolder(base: string): string {
  return join(base, "home", "data");
}

/** What is kept of files, over all sessions. */
export function keptBytes(base: string): { readonly files: number; readonly bytes: number } {
  const blobs = readdirSync(dataFolder(base), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath.includes("/blobs/"),
  );
  const sizes = blobs.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return { files: blobs.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
