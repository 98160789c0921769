// What the tools are given from outside.
import type { ToolContext, ToolOutput } from "../domain/tool.ts";
import type { Network } from "./network.ts";

/** Where the agent works. */
export interface Workspace {
  /** The project's folder, absolute. */
  readonly root: string;
  cwd(): string;
  setCwd(directory: string): void;
}

export interface ToolPorts {
  readonly workspace: Workspace;
  readonly shell: Shell;
  readonly ripgrepPath: () => Promise<string>;
  /** Whether a file's content may be shown without asking a person; by default all may. */
  readonly mayShow?: (path: string) => boolean;
  /** A subagent with the read-only tools. */
  readonly research: Research;
  /** Asks the person; the output is their answer. */
  readonly presentPlan: (plan: string, signal: AbortSignal) => Promise<ToolOutput>;
  /** Where output over a tool's cap is kept. */
  readonly spillFolder: () => Promise<string>;
  /** Replaces known keys. */
  readonly mask: (text: string) => string;
  /** How web_fetch reaches the world; absent: the public network. */
  readonly network?: Network;
  /** Characters of a command's output that the model sees, where a person wants fewer than by default. */
  readonly maxCommandOutput?: number;
  /** Problems a language server finds in a file that was just written; null when there are none. */
  readonly diagnostics?: (path: string, signal: AbortSignal) => Promise<string | null>;
}

/** How a shell command becomes a program and its arguments: plain, or inside a sandbox. */
export interface Shell {
  /** `script` is what runs; `command`, a part of it, is what the model wrote and what is to be judged. */
  readonly wrapCommand: (
    script: string,
    cwd: string,
    signal: AbortSignal,
    command: string,
  ) => Promise<WrappedCommand>;
}

export interface WrappedCommand {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly sandboxed: boolean;
}

export type Research = (
  query: string,
  scope: { readonly directories: readonly string[]; readonly maxFiles: number },
  context: ToolContext,
) => Promise<ToolOutput>;
