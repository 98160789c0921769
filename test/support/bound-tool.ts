// One of our tools with just the ports a test cares about.
import type { Tool } from "../../src/domain/tool.ts";
import { CATALOG } from "../../src/tools/catalog.ts";
import type { DefinedTool } from "../../src/tools/define-tool.ts";
import { FileAccess } from "../../src/tools/file-access.ts";
import type { Shell, ToolPorts } from "../../src/tools/ports.ts";
import { shellWith } from "./fake-sandbox.ts";

/** Runs everything outside: there is no sandbox. */
export const plainShell: Shell = shellWith(null);

type SomePorts = Partial<ToolPorts> & Pick<ToolPorts, "workspace"> & { readonly files?: FileAccess };

/** Of the catalog, by its name. */
export function catalogTool(name: string, given: SomePorts): Tool {
  const tool = CATALOG.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool called ${name}.`);
  return boundTool(tool, given);
}

export function boundTool(tool: DefinedTool, given: SomePorts): Tool {
  return tool.bind({
    shell: plainShell,
    ripgrepPath: async () => "rg",
    research: async () => "",
    presentPlan: async () => "",
    spillFolder: async () => given.workspace.root,
    mask: (text) => text,
    files: new FileAccess(given),
    ...given,
  });
}
