// What a call would do, split into acts. Each is judged on its own, and the strictest answer wins.
import { isAbsolute } from "node:path";
import { defined } from "../base/defined.ts";
import { never } from "../base/never.ts";
import type { Demand } from "../domain/grant.ts";
import type { PermissionContext } from "./context.ts";
import type { PathUse, ReadOnlyAnswer } from "./read-only-answer.ts";
import type { KnownWord } from "./rule-match.ts";
import type { Access } from "./rules.ts";

export type Act =
  | PathAct
  | CommandAct
  /** A part of a shell command whose effect isn't known before it runs. */
  | DoubtAct
  | { readonly type: "fetch"; readonly host: string; readonly tool: string }
  /** Nothing is known but the tool's name. */
  | { readonly type: "tool"; readonly name: string };

export interface DoubtAct extends Doubt {
  readonly type: "doubt";
  readonly tool: string;
}

/** Why the effect of some part can't be known before it runs. */
export interface Doubt {
  readonly why: string;
  /** Inside the sandbox, that is no more than a program whose effect isn't known. It hides no name and no path. */
  readonly mild?: true;
}

export interface PathAct extends Omit<PathUse, "path"> {
  readonly type: "path";
  readonly access: Access;
  /** The tool whose rules apply. null for a shell command, which a sandbox may confine. */
  readonly tool: string | null;
  /** Absolute, with symlinks and `..` unresolved. */
  readonly path: string;
}

export interface CommandAct {
  readonly type: "command";
  readonly tool: string;
  readonly text: string;
  readonly words: readonly KnownWord[];
  /** No unknown word and no part of its input can be a secret. */
  readonly plain: boolean;
  /** The text of its here-documents and here-strings. */
  readonly input: string;
  readonly folders: ReadonlySet<string>;
  readonly answer: ReadOnlyAnswer;
}

export interface Acts {
  readonly acts: readonly Act[];
  /** The simple commands of a shell command. */
  readonly commands?: readonly string[];
  /** The acts are those of this script, which only reads. It runs in place of what was written. */
  readonly rebuilt?: string;
  /**
   * What was rebuilt lists with git, to which files that the sandbox hides would look changed. So it runs where it sees
   * them as they are.
   */
  readonly lists?: true;
}

/** A call as permission sees it. */
export interface AskedCall {
  readonly toolName: string;
  /** Undefined if its tool doesn't declare them. */
  readonly demands: readonly Demand[] | undefined;
}

export type ShellDemand = Extract<Demand, { type: "shell" }>;
/** The reader of shell commands, which is loaded when it is needed. */
type ReadShellDemand = (demand: ShellDemand, toolName: string, context: PermissionContext) => Acts;

export function runsShell({ demands }: AskedCall): boolean {
  return demands?.some((demand) => demand.type === "shell") ?? false;
}

export function actsOf(
  { toolName, demands }: AskedCall,
  context: PermissionContext,
  readShell: ReadShellDemand,
): Acts {
  if (demands === undefined) return { acts: [{ type: "tool", name: toolName }] };
  const found = demands.map((demand): Acts => {
    switch (demand.type) {
      case "path": {
        const { access, path, extent, countsAs = toolName } = demand;
        return { acts: [{ type: "path", access, tool: countsAs, path, extent }] };
      }
      case "fetch":
        return { acts: [{ type: "fetch", host: demand.host, tool: toolName }] };
      case "shell":
        return readShell(demand, toolName, context);
      default:
        return never(demand);
    }
  });
  const acts = found.flatMap((each) => each.acts);
  const commands = found.flatMap((each) => each.commands ?? []);
  // A call that does more than run one shell command doesn't come from our own tools.
  const { rebuilt, lists } = (demands.length === 1 ? found[0] : undefined) ?? {};
  return runsShell({ toolName, demands }) ? { acts, commands, ...defined({ rebuilt, lists }) } : { acts };
}

/** Not normalised, because `link/..` may lead elsewhere. */
export function absolute(path: string, folder: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}
