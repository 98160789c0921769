// Starts the agent's shell commands as their grants say, and looks after them when they have ended in the sandbox: what
// they made that other programs obey, and what they could not reach.
import { defined } from "../base/defined.ts";
import { shellProgram } from "../base/shell-program.ts";
import type { Sandbox } from "../permission/sandbox.ts";
import type { SandboxReach, SandboxReport } from "../permission/sandboxed-command.ts";
import type { Aftermath, CommandEnd, Shell, ShellPlace } from "../tools/ports.ts";

interface AgentShellPorts {
  readonly sandbox: () => Promise<Sandbox> | null;
  /** By the rules in force now, and those of this one run. */
  readonly reach: (place: ShellPlace) => Promise<SandboxReach>;
  readonly lookAfter: (
    report: SandboxReport,
    end: CommandEnd,
    place: ShellPlace,
    signal: AbortSignal,
  ) => Promise<Aftermath>;
}

/** A command that was allowed inside the sandbox never runs outside. */
export function createShell({ sandbox, reach, lookAfter }: AgentShellPorts): Shell {
  return async (script, place, signal) => {
    const { folder, sandboxed } = place;
    if (!sandboxed) return { argv: [shellProgram(), "-c", script], ended: async () => NOTHING_TO_SAY };
    const inside = await sandbox();
    if (inside?.available !== true) throw new Error("It was to run inside the sandbox, and there is none.");
    const { ended, ...start } = await inside.start(
      {
        script,
        folder,
        reach: await reach(place),
        ...defined({ env: place.asked.command?.env, scratch: place.scratch }),
      },
      signal,
    );
    return { ...start, ended: async (end) => lookAfter(await ended(), end, place, signal) };
  };
}

const NOTHING_TO_SAY: Aftermath = { remarks: [] };
