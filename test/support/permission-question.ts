// A question to the person as permission asks it about one of our tools.
import type { Offer, PermissionQuestion } from "../../src/domain/permission.ts";
import { describeCall } from "../../src/domain/tool.ts";
import { CATALOG } from "../../src/tools/catalog.ts";

type Asked = Pick<PermissionQuestion, "toolName" | "args" | "decision"> & Partial<PermissionQuestion>;

export function questionAbout(asked: Asked): PermissionQuestion {
  const tool = CATALOG.find(({ name }) => name === asked.toolName);
  const { label } = describeCall(tool, asked);
  return { title: tool?.question ?? "May this run?", label, preview: null, offers: [], ...asked };
}

/** The offer not to ask again for these rules in this session. */
export function offering(...rules: readonly string[]): readonly Offer[] {
  return [{ label: `and don't ask again in this session: ${rules.join(", ")}`, rules, lasts: "session" }];
}
