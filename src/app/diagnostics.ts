// Language servers report problems after an edit. They load with the first edit, and only in a folder the person
// trusts, because a server may run the project's own code.
import type { Diagnostics } from "../tools/lsp/diagnostics.ts";
import type { Workspace } from "../tools/ports.ts";
import type { AgentSettings } from "./settings.ts";

export function lazyDiagnostics(
  { trusted, tools, env }: AgentSettings,
  workspace: Workspace,
): Diagnostics | null {
  const { enabled = true, ...wait } = tools?.languageServers ?? {};
  if (!trusted || !enabled) return null;
  let loaded: Promise<Diagnostics> | null = null;
  const load = async (): Promise<Diagnostics> => {
    const { createDiagnostics, diagnosticsPorts } = await import("../tools/lsp/diagnostics.ts");
    return createDiagnostics(workspace, { ...diagnosticsPorts(env), ...wait });
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
