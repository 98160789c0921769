// A temporary project with the three file tools, called as dispatch calls them: validate, execute, read the failure.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { checkArguments } from "../../src/dispatch/check-arguments.ts";
import { contentText } from "../../src/domain/content.ts";
import { ToolError } from "../../src/domain/error.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { FileAccess } from "../../src/tools/file-access.ts";
import type { ToolPorts, Workspace } from "../../src/tools/ports.ts";
import { readFile as readFileTool } from "../../src/tools/read-file.ts";
import { updateFile } from "../../src/tools/update-file.ts";
import { writeFile as writeFileTool } from "../../src/tools/write-file.ts";
import { boundTool } from "./bound-tool.ts";
import { toolContext } from "./tool-context.ts";

export interface Outcome {
  readonly failed: boolean;
  readonly text: string;
}

export interface FileTools extends AsyncDisposable {
  readonly root: string;
  readonly workspace: Workspace;
  readonly tools: readonly Tool[];
  path(name: string): string;
  /** Writes a file without the tools. */
  put(name: string, content: string | Buffer): Promise<void>;
  bytes(name: string): Promise<Buffer>;
  read(args: JsonObject, signal?: AbortSignal): Promise<Outcome>;
  write(args: JsonObject, signal?: AbortSignal): Promise<Outcome>;
  update(args: JsonObject, signal?: AbortSignal): Promise<Outcome>;
}

export async function createFileTools(options: Pick<ToolPorts, "diagnostics"> = {}): Promise<FileTools> {
  const root = await mkdtemp(join(tmpdir(), "tunacode-files-"));
  let cwd = root;
  const workspace: Workspace = {
    root,
    cwd: () => cwd,
    setCwd: (directory) => {
      cwd = directory;
    },
  };
  const ports = { workspace, files: new FileAccess({ workspace, ...options }) };
  const read = boundTool(readFileTool, ports);
  const write = boundTool(writeFileTool, ports);
  const update = boundTool(updateFile, ports);
  const path = (name: string) => join(root, name);
  return {
    root,
    workspace,
    tools: [read, write, update],
    path,
    async put(name, content) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
    },
    bytes: (name) => readFile(path(name)),
    read: (args, signal) => call(read, args, signal),
    write: (args, signal) => call(write, args, signal),
    update: (args, signal) => call(update, args, signal),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** What the model reads. An abort or a bug is rethrown. */
export async function call(
  tool: Tool,
  args: JsonObject,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const valid = checkArguments(tool, args);
  if (!valid.ok) return { failed: true, text: valid.problem };
  try {
    const output = await tool.execute(valid.args, toolContext({ signal }));
    return typeof output === "string"
      ? { failed: false, text: output }
      : { failed: output.failed ?? false, text: contentText(output.content) };
  } catch (error) {
    if (error instanceof ToolError) return { failed: true, text: error.message };
    throw error;
  }
}
