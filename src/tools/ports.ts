// What the tools are given from outside.
import type { PermissionQuestion } from "../domain/permission.ts";
import type { Tool, ToolContext, ToolOutput } from "../domain/tool.ts";
import type { WebNetwork } from "./web-address.ts";

/** Where the agent works. */
export interface Workspace {
  /** The project's folder, absolute. */
  readonly root: string;
  /** What ~ stands for; by default the home folder of this process's user. */
  readonly home?: string;
  cwd(): string;
  setCwd(directory: string): void;
}

/** What a person chose about the tools: `settings.tools` of an agent. */
export interface ToolSettings {
  /** Tools besides the built-in ones. Their demands are judged in the same way, and rules may name them. */
  readonly own?: readonly Tool[];
  /** Enabled by default. waitMs: how long an edit waits for a language server. */
  readonly languageServers?: { readonly enabled?: boolean; readonly waitMs?: number };
  /** Characters of a command's output that the model sees, where fewer than by default. */
  readonly maxCommandOutput?: number;
}

export interface ToolPorts extends ToolSettings {
  readonly workspace: Workspace;
  readonly shell: Shell;
  readonly ripgrepPath: () => Promise<string>;
  /** A subagent with the read-only tools. */
  readonly research: Research;
  /** Asks the person and returns their answer. */
  readonly presentPlan: (plan: string, signal: AbortSignal) => Promise<ToolOutput>;
  /** Where output over a tool's cap is kept. */
  readonly spillFolder: () => Promise<string>;
  /** Replaces known keys. */
  readonly mask: (text: string) => string;
  /** The network for web_fetch; by default the public one. */
  readonly network?: WebNetwork;
  /** Problems a language server finds in a file that was just written; null when there are none. */
  readonly diagnostics?: (path: string, signal: AbortSignal) => Promise<string | null>;
}

/** Turns a script into a program and its arguments, inside the sandbox if the grant says so. */
export type Shell = (script: string, place: ShellPlace, signal: AbortSignal) => Promise<WrappedCommand>;

export interface ShellPlace {
  readonly folder: string;
  readonly sandboxed: boolean;
  /** A folder of ours for this one run, in which it may write. */
  readonly scratch?: string;
  /** The call that it runs for, as a person who is asked about it sees it. */
  readonly asked: Pick<PermissionQuestion, "toolName" | "args" | "label" | "command">;
  /** It needs nothing that the sandbox lacks, whatever it prints. */
  readonly onlyReads?: true;
  /** It is the second run of a call, and may reach this beyond the rules, because the person said so. */
  readonly reach?: ExtraReach;
}

/** Rules that apply to one run of a command inside the sandbox. */
export interface ExtraReach {
  readonly rules: readonly string[];
}

export interface WrappedCommand {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Has to be called once after the command ended, however it did. It may ask the person. */
  readonly ended: (end: CommandEnd) => Promise<Aftermath>;
}

export interface CommandEnd {
  readonly failed: boolean;
  /** As the model gets it. */
  readonly output: string;
}

export interface Aftermath {
  /** What the model is told besides the output. */
  readonly remarks: readonly string[];
  /** The person wants it to run once more, here. */
  readonly again?: ShellPlace;
}

export type Research = (
  query: string,
  scope: { readonly directories: readonly string[]; readonly maxFiles: number },
  context: ToolContext,
) => Promise<ToolOutput>;
