// Judges what a command inside the sandbox is known to do: it is asked about, and after a yes it runs inside if that is
// enough for it.
import { absolute } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import type { KnownEffect } from "./effect.ts";
import { targetKind } from "./judge-path.ts";
import { asking, destroying, type Judgement, type TargetKind } from "./judgement.ts";

const WORST_FIRST: readonly TargetKind[] = ["odd", "unknown", "ordinary", "private"];

export function judgeEffect(
  { kind, what, targets }: KnownEffect,
  folders: ReadonlySet<string>,
  context: PermissionContext,
): Judgement {
  const reason = `It would ${what}.`;
  // Inside, .git can't be written, and the network is closed.
  if (kind !== "deletes" && kind !== "overwrites") return asking(reason);
  const kinds = targets.flatMap((target) =>
    target === null
      ? ("unknown" as const)
      : [...folders].map((folder) => targetKind(absolute(target, folder), context)),
  );
  const worst = WORST_FIRST.find((each) => kinds.includes(each)) ?? "ordinary";
  return destroying(context.mode, reason, worst);
}
