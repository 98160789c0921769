// Judges what a command inside the sandbox is known to do: it is asked about, unless undo would bring it back and the mode
// allows that. After a yes it runs inside if that is enough for it.
import { defined } from "../base/defined.ts";
import { absolute } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import type { KnownEffect } from "./effect.ts";
import { targetAt } from "./judge-path.ts";
import { asking, destroying, type Judgement, type Target } from "./judgement.ts";

const WORST_FIRST: readonly Target["kind"][] = ["odd", "unknown", "ordinary", "private"];

export function judgeEffect(
  effect: KnownEffect,
  folders: ReadonlySet<string>,
  context: PermissionContext,
): Judgement {
  const { kind, what } = effect;
  const reason = `It would ${what}.`;
  // Inside, .git can't be written, and the network is closed.
  if (kind !== "deletes" && kind !== "overwrites") return asking(reason);
  const target = worstTarget(effect, folders, context);
  const { holds } = target;
  return destroying(context, holds === undefined ? reason : `${reason} That includes ${holds}.`, target);
}

/** What undo would not bring back of what a command is known to delete or overwrite. */
export function lostBy(
  effect: KnownEffect,
  folders: ReadonlySet<string>,
  context: PermissionContext,
): string | undefined {
  return worstTarget(effect, folders, context).lost;
}

function worstTarget(
  { targets, among = [], isSelective }: KnownEffect,
  folders: ReadonlySet<string>,
  context: PermissionContext,
): Target {
  const at = (path: string) =>
    [...folders].map((folder) => targetAt(absolute(path, folder), context, isSelective));
  const found = targets.flatMap((target): readonly Target[] =>
    target === null ? [{ kind: "unknown" }] : at(target),
  );
  const whole = context.undo === undefined ? found : [...found, ...among.flatMap(at)];
  return {
    kind: WORST_FIRST.find((kind) => found.some((each) => each.kind === kind)) ?? "ordinary",
    ...defined({
      holds: found.find((each) => each.holds !== undefined)?.holds,
      lost: whole.find((each) => each.lost !== undefined)?.lost,
      isMissing: found.every((each) => each.isMissing === true) ? true : undefined,
    }),
  };
}
