// A call as permission sees it: what our own tools demand for these arguments.
import type { JsonObject } from "../../src/base/json.ts";
import type { AskedCall } from "../../src/permission/act.ts";
import type { PermissionContext } from "../../src/permission/context.ts";
import { ruleVocabulary } from "../../src/permission/rules.ts";
import { CATALOG } from "../../src/tools/catalog.ts";
import { boundTool } from "./bound-tool.ts";

/** The words of rules about our own tools. */
export const VOCABULARY = ruleVocabulary(CATALOG);

/** Arguments need not be whole: what a demand doesn't look at may be missing. */
export function askedCall(
  { toolName, args }: { readonly toolName: string; readonly args: JsonObject },
  { workspace: { root, cwd }, home }: Pick<PermissionContext, "workspace" | "home">,
): AskedCall {
  const definition = CATALOG.find(({ name }) => name === toolName);
  const workspace = { root, home, cwd: () => cwd, setCwd: () => {} };
  const tool = definition && boundTool(definition, { workspace });
  return { toolName, demands: tool?.demands?.({ directories: [], ...args }) };
}
