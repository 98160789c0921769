// Few decisions depend on what undo would bring back, and finding that out may take a moment. So it is asked for only
// when a decision turns out to depend on it.
import type { Decision } from "../domain/permission.ts";
import type { AskedCall } from "./act.ts";
import type { PermissionContext, UndoCoverage } from "./context.ts";

/** `coverage` gives null where nothing can be undone. */
export async function decideCovered(
  call: AskedCall,
  context: PermissionContext,
  decide: (call: AskedCall, context: PermissionContext) => Decision,
  coverage: () => Promise<UndoCoverage | null>,
): Promise<{ readonly decision: Decision; readonly context: PermissionContext }> {
  let isNeeded = false;
  const firstUncovered = () => {
    isNeeded = true;
    return null;
  };
  const decision = decide(call, { ...context, undo: { firstUncovered } });
  if (!isNeeded) return { decision, context };
  const undo = await coverage();
  const known = undo === null ? context : { ...context, undo };
  return { decision: decide(call, known), context: known };
}
