// A small program that runs one tool. Tests compile it, to check that the tool works in a binary, and kill it.
// Arguments: the name of the tool, its arguments as JSON. The working directory is the project.
import { settleProcesses } from "../../src/base/process-endings.ts";
import { bash } from "../../src/tools/bash.ts";
import { grep } from "../../src/tools/grep.ts";
import { htmlToMarkdown } from "../../src/tools/html-to-markdown.ts";
import { createRipgrepPath } from "../../src/tools/ripgrep.ts";
import { boundTool } from "./bound-tool.ts";
import { runTool } from "./run-tool.ts";

const [name = "", json = "{}"] = process.argv.slice(2);
const args = JSON.parse(json);
const root = process.cwd();
let cwd = root;
const workspace = {
  root,
  cwd: () => cwd,
  setCwd: (directory: string) => {
    cwd = directory;
  },
};
const ripgrepPath = createRipgrepPath();
const ports = {
  workspace,
  ripgrepPath,
  spillFolder: async () => root,
  mask: (text: string) => text,
};

const PROGRAMS: Readonly<Record<string, () => Promise<string>>> = {
  bash: async () => (await runTool(boundTool(bash, ports), args)).text,
  grep: async () => (await runTool(boundTool(grep, ports), args)).text,
  "ripgrep-path": ripgrepPath,
  html: async () => await htmlToMarkdown(args, new AbortController().signal),
};
console.log(await PROGRAMS[name]?.());
await settleProcesses();
