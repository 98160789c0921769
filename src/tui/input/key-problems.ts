// What is wrong with the keys of a configuration: unknown actions, unusable keys, and keys that have two actions.
import { nearestName } from "../../base/nearest-name.ts";
import { isKeyId, type KeyBindings, type KeyOverrides, meantKey, sameKeyForm } from "./key-names.ts";

type IsUsable = (action: string, key: string) => boolean;

export function keyProblems(given: KeyOverrides, all: KeyBindings, isUsable: IsUsable): string[] {
  const actions = Object.keys(all);
  const known = Object.keys(given).filter((action) => actions.includes(action));
  return [
    ...Object.keys(given).flatMap((action) =>
      actions.includes(action) ? [] : [unknownAction(action, actions)],
    ),
    ...known.flatMap((action) => unusableKeys(action, given[action] ?? [], isUsable)),
    ...known.flatMap((action) => sharedKeys(action, all)),
  ].filter((problem, index, problems) => problems.indexOf(problem) === index);
}

function unknownAction(action: string, actions: readonly string[]): string {
  const near = nearestName(action, actions);
  const meant = near === undefined ? "" : ` Was ${near} meant?`;
  return `settings.keys.${action} is not a known action and has no effect.${meant}`;
}

function unusableKeys(action: string, keys: readonly string[], isUsable: IsUsable): string[] {
  return keys
    .filter((key) => !isUsable(action, key))
    .map((key) => {
      const where = `settings.keys.${action}: "${key}"`;
      if (isKeyId(key)) return `${where} writes a character, so it can't be used.`;
      const meant = meantKey(key);
      return `${where} is not a key that can be used.${meant === undefined ? "" : ` Was "${meant}" meant?`}`;
    });
}

/** Lists, which have their own keys while they are open, don't count. */
const AT_THE_EDITOR = /^(?!tui\.)|^tui\.(?:editor|input)\./;

/** Only for actions that the person has bound: some keys have two actions by default, at different moments. */
function sharedKeys(action: string, all: KeyBindings): string[] {
  if (!AT_THE_EDITOR.test(action)) return [];
  const keysOf = (name: string) => (all[name] ?? []).map(sameKeyForm);
  return keysOf(action).flatMap((key) => {
    const actions = Object.keys(all).filter((name) => AT_THE_EDITOR.test(name) && keysOf(name).includes(key));
    if (actions.length < 2) return [];
    // The app's actions come before the editor's, in this order.
    const first = actions[0]?.startsWith("tui.") ? "" : ` Only ${actions[0]} gets it.`;
    return [`settings.keys: "${key}" is bound to ${actions.join(" and ")}.${first}`];
  });
}
