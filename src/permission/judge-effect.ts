// Judges what a command inside the sandbox is known to do: it is asked about, and after a yes it runs inside if that is
// enough for it.
import { absolute } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import type { KnownEffect } from "./effect.ts";
import { targetKind } from "./judge-path.ts";
import { asking, destroying, type Judgement } from "./judgement.ts";

export function judgeEffect(
  { kind, what, targets }: KnownEffect,
  folders: ReadonlySet<string>,
  context: PermissionContext,
): Judgement {
  const reason = `It would ${what}.`;
  // Inside, .git can't be written, and the network is closed.
  if (kind !== "deletes" && kind !== "overwrites") return asking(reason);
  const kinds = targets.flatMap((target) =>
    target === null ? "unknown" : [...folders].map((folder) => targetKind(absolute(target, folder), context)),
  );
  const worst = (["odd", "unknown"] as const).find((each) => kinds.includes(each)) ?? "ordinary";
  return destroying(context.mode, reason, worst);
}
