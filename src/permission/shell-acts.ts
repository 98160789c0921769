// Reads from a shell command's text what it would do: its simple commands, the files it reads and writes, and the parts
// whose effect isn't known before it runs.
import { isStream, realPath } from "../base/real-path.ts";
import { type Act, type Acts, absolute, type PathAct, type ShellDemand } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { readOnly } from "./read-only.ts";
import { mayDoMore, type PathUse } from "./read-only-answer.ts";
import type { Access } from "./rules.ts";
import { readShell } from "./shell.ts";
import { isHarmlessVariable, type ShellCommand } from "./shell-command.ts";

export function shellActs(
  { command, folder, env }: ShellDemand,
  toolName: string,
  context: PermissionContext,
): Acts {
  const { home, disk } = context;
  // It runs in the real folder, but rules may name the folder as it was written.
  const folders = new Set([folder, realPath(folder, disk) ?? folder]);
  const reading = readShell(command, { home, disk, folders });
  const acts: Act[] = reading.doubts.map((why) => ({ type: "doubt", why, tool: toolName }));
  for (const [name, value] of Object.entries(env))
    if (!isHarmlessVariable(name, value))
      acts.push({ type: "doubt", why: `it sets the variable ${name}`, tool: toolName });
  for (const each of reading.commands) acts.push(...commandActs(each, toolName, context));
  const shown = reading.commands.filter((each) => each.words.length > 0).map((each) => each.text);
  return { acts, commands: shown };
}

function commandActs(command: ShellCommand, tool: string, context: PermissionContext): readonly Act[] {
  const { text, words, folders, redirects } = command;
  const looked = readOnly(command, { root: context.workspace.root, disk: context.disk });
  const written = redirects.find(({ access, target }) => access === "write" && !isStream(target));
  const answer =
    written === undefined || !looked.harmless
      ? looked
      : mayDoMore(`it writes to ${written.target ?? "a file"}`);
  const acts: Act[] = [];
  if (words.length > 0 || !answer.harmless)
    acts.push({ type: "command", tool, text, words, folders, answer });
  for (const folder of folders) {
    for (const { path, ...use } of looked.harmless ? looked.uses : [])
      acts.push(shellPath("read", absolute(path, folder), use));
    for (const { access, target } of redirects) {
      if (target === null) acts.push({ type: "doubt", why: "it redirects to a file that isn't known", tool });
      else acts.push(shellPath(access, absolute(target, folder), { extent: "file" }));
    }
  }
  return acts;
}

function shellPath(access: Access, path: string, use: Omit<PathUse, "path">): PathAct {
  return { type: "path", access, tool: null, path, ...use };
}
