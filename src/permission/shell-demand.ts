// What a shell command would do, read from its text: its simple commands, the files it reads and writes, and what
// can't be told before it runs.
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { PermissionContext } from "./context.ts";
import { absolute, type Demand, type Demands, type PathDemand, toolPath } from "./demand.ts";
import { readOnly } from "./read-only.ts";
import { mayDoMore, type PathUse } from "./read-only-answer.ts";
import { isStream } from "./real-path.ts";
import type { Access } from "./rules.ts";
import { readShell } from "./shell.ts";
import { isHarmlessVariable, type ShellCommand } from "./shell-command.ts";

export function shellDemands(args: JsonObject, context: PermissionContext): Demands {
  const { home, disk } = context;
  const command = typeof args["command"] === "string" ? args["command"] : "";
  const reading = readShell(command, { home, disk, folders: new Set([toolPath(args["cwd"], context)]) });
  const demands: Demand[] = reading.doubts.map((why) => ({ type: "doubt", why }));
  for (const [name, value] of Object.entries(isJsonObject(args["env"]) ? args["env"] : {}))
    if (!isHarmlessVariable(name, String(value)))
      demands.push({ type: "doubt", why: `it sets the variable ${name}` });
  for (const each of reading.commands) demands.push(...commandDemands(each, context));
  const shown = reading.commands.filter((each) => each.words.length > 0).map((each) => each.text);
  return { demands, commands: shown };
}

function commandDemands(command: ShellCommand, context: PermissionContext): readonly Demand[] {
  const { text, words, folders, redirects } = command;
  const looked = readOnly(command, { root: context.workspace.root, disk: context.disk });
  const written = redirects.find(({ access, target }) => access === "write" && !isStream(target));
  const answer =
    written === undefined || !looked.harmless
      ? looked
      : mayDoMore(`it writes to ${written.target ?? "a file"}`);
  const demands: Demand[] = [];
  if (words.length > 0 || !answer.harmless) demands.push({ type: "command", text, words, folders, answer });
  for (const folder of folders) {
    for (const { path, ...use } of looked.harmless ? looked.uses : [])
      demands.push(shellPath("read", absolute(path, folder), use));
    for (const { access, target } of redirects) {
      if (target === null) demands.push({ type: "doubt", why: "it redirects to a file that isn't known" });
      else demands.push(shellPath(access, absolute(target, folder), { extent: "file" }));
    }
  }
  return demands;
}

function shellPath(access: Access, path: string, use: Omit<PathUse, "path">): PathDemand {
  return {
    type: "path",
    access,
    tool: access === "read" ? "read_file" : "write_file",
    path,
    shell: true,
    ...use,
  };
}
