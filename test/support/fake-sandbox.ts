// A sandbox that only marks what runs in it, and the agent's shell with one, or with none.
import { createShell } from "../../src/app/agent-shell.ts";
import type { Sandbox } from "../../src/permission/sandbox.ts";
import type { SandboxReach, SandboxReport } from "../../src/permission/sandboxed-command.ts";
import type { Shell } from "../../src/tools/ports.ts";

export const NOTHING_NOTICED: SandboxReport = { refused: [], setAside: [] };

export function fakeSandbox(argvOf: (script: string) => readonly string[]): Sandbox {
  return {
    available: true,
    reason: "",
    gap: async () => null,
    start: async ({ script }) => ({ argv: argvOf(script), ended: async () => NOTHING_NOTICED }),
    close: async () => {},
  };
}

const REACH: SandboxReach = {
  root: "/p",
  home: "/h",
  writableFolders: [],
  allowedHosts: [],
  deniedHosts: [],
  unreadable: [],
  unwritable: [],
};

export function shellWith(sandbox: Sandbox | null): Shell {
  return createShell({
    sandbox: () => (sandbox === null ? null : Promise.resolve(sandbox)),
    reach: async () => REACH,
    lookAfter: async () => ({ remarks: [] }),
  });
}
