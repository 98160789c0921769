// Language servers report problems after an edit. They load with the first edit, and only in a folder the person
// trusts, because a server may run the project's own code.
import { defined } from "../base/defined.ts";
import type { Diagnostics } from "../tools/lsp/diagnostics.ts";
import type { Workspace } from "../tools/ports.ts";
import type { AgentSettings } from "./settings.ts";

export interface LazyDiagnostics {
  readonly check: (path: string, signal: AbortSignal) => Promise<string | null>;
  readonly close: () => Promise<void>;
}

export function lazyDiagnostics(settings: AgentSettings, workspace: Workspace): LazyDiagnostics | null {
  if (!settings.trusted || settings.languageServers === false) return null;
  let loaded: Promise<Diagnostics> | null = null;
  const load = async (): Promise<Diagnostics> => {
    const { createDiagnostics, diagnosticsPorts } = await import("../tools/lsp/diagnostics.ts");
    const { languageServerWaitMs: waitMs } = settings;
    return createDiagnostics(workspace, {
      ...diagnosticsPorts(settings.env),
      ...defined({ waitMs }),
    });
  };
  return {
    check: async (path, signal) => {
      loaded ??= load();
      return (await loaded).check(path, signal);
    },
    close: async () => {
      await (await loaded)?.close();
    },
  };
}
