// A limit that can't be enforced is worse than none, unless the person is told.
import type { RequestContext } from "./request-context.ts";

export function unknownPrice({ budget, model }: RequestContext): string | null {
  if (budget.limits.costDollars === undefined || model.price !== undefined) return null;
  return `What ${model.name} costs is not known here, so the limit on cost can't stop it. A limit on tokens can.`;
}
