// A git project on disk with an agent in it whose model follows a script: each prompt says what it does. A prompt is
// shell commands, or `write PATH TEXT`, which reads the file first, or `overwrite PATH TEXT`, which does not.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, openAgent } from "../../src/app/compose.ts";
import { runRequest } from "../../src/app/run-request.ts";
import type { SessionChoice } from "../../src/app/settings.ts";
import { contentText } from "../../src/domain/content.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";

export interface UndoProject {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

export function makeUndoProject(): UndoProject {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "undo-project-")));
  const root = join(home, "project");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src/main.ts"), "one\ntwo\nthree\n");
  writeFileSync(join(root, "README.md"), "# Readme\n");
  writeFileSync(join(root, ".gitignore"), ".env\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  writeFileSync(join(root, ".env"), "KEY=1\n");
  writeFileSync(join(root, "notes.txt"), "untracked\n", { mode: 0o600 });
  return undoProjectIn(home);
}

/** One that was made by another process. */
export function undoProjectIn(home: string): UndoProject {
  const env = { HOME: home, XDG_DATA_HOME: join(home, "data"), PATH: process.env["PATH"] ?? "" };
  return {
    home,
    root: join(home, "project"),
    env,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface ScriptedAgent {
  readonly agent: Agent;
  /** The last message that the model was sent, as JSON. */
  readonly sent: () => string;
  readonly notices: readonly string[];
  readonly ask: (prompt: string) => Promise<void>;
}

export async function openScripted(
  { root, env }: UndoProject,
  session: SessionChoice = { type: "new" },
): Promise<ScriptedAgent> {
  const notices: string[] = [];
  let sent = "";
  const model = scriptedModel({
    turns: (request) => answerTo(request),
    onRequest: (request) => {
      sent = JSON.stringify(request.messages.at(-1));
    },
  });
  const agent = await openAgent({
    cwd: root,
    env,
    session,
    models: { scripted: model },
    permission: { mode: "yolo", rules: [], sandbox: "off" },
    trusted: false,
    notify: (text) => notices.push(text),
  });
  return {
    agent,
    sent: () => sent,
    notices,
    ask: async (prompt) => {
      for await (const event of runRequest(prompt, model, agent.manager))
        if (event.type === "request-end" && event.outcome.type !== "completed")
          throw new Error(JSON.stringify(event.outcome));
    },
  };
}

function answerTo({ messages }: ModelRequest): ScriptedTurn {
  const last = messages.at(-1);
  const prompt = last?.parts.findLast((part) => part.kind === "user-prompt");
  if (prompt?.kind !== "user-prompt" || last?.parts.some(({ kind }) => kind === "tool-return"))
    return [{ text: "Done." }];
  const text = contentText(prompt.content);
  const [, how, filepath, words] = /^(write|overwrite) (\S+) (.*)$/s.exec(text) ?? [];
  if (filepath !== undefined) {
    const write = { call: "write_file", args: { filepath, content: `${words}\n` } };
    return how === "write" ? [{ call: "read_file", args: { filepath } }, write] : [write];
  }
  return text.startsWith("say") ? [{ text: "Said." }] : [{ call: "bash", args: { command: text } }];
}

/** Every file of the project with its mode and its bytes, but git's own. */
export function filesIn(root: string, folder = ""): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.name === ".git") return [];
      const mode = (statSync(join(root, path)).mode & 0o777).toString(8);
      if (entry.isDirectory()) return [`${path}/ ${mode}`, ...filesIn(root, path)];
      return [`${path} ${mode} ${JSON.stringify(readFileSync(join(root, path), "utf8"))}`];
    });
}
