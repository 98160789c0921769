// Judges what a command inside the sandbox is known to do: it is asked about, and after a yes it runs inside if that is
// enough for it.
import { absolute } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import type { KnownEffect } from "./effect.ts";
import { targetAt } from "./judge-path.ts";
import { asking, destroying, type Judgement, type Target } from "./judgement.ts";

const WORST_FIRST: readonly Target["kind"][] = ["odd", "unknown", "ordinary", "private"];

export function judgeEffect(
  { kind, what, targets }: KnownEffect,
  folders: ReadonlySet<string>,
  context: PermissionContext,
): Judgement {
  const reason = `It would ${what}.`;
  // Inside, .git can't be written, and the network is closed.
  if (kind !== "deletes" && kind !== "overwrites") return asking(reason);
  const found = targets.flatMap((target): readonly Target[] =>
    target === null
      ? [{ kind: "unknown" }]
      : [...folders].map((folder) => targetAt(absolute(target, folder), context)),
  );
  const worst = WORST_FIRST.find((kind) => found.some((each) => each.kind === kind));
  const holds = found.find((each) => each.holds !== undefined)?.holds;
  const whole = holds === undefined ? reason : `${reason} That includes ${holds}.`;
  return destroying(context.mode, whole, worst ?? "ordinary");
}
