// The names of keys, as the configuration writes them ("ctrl+shift+p") and as people read them ("Ctrl-Shift-P").
import type { KeyId } from "@earendil-works/pi-tui";
import { nearestName } from "../../base/nearest-name.ts";

/** By action, as a person writes them. The editor's own actions have the names of pi-tui ("tui.editor.undo"). */
export type KeyOverrides = Readonly<Record<string, readonly string[]>>;
/** The keys of every action. */
export type KeyBindings = Readonly<Record<string, readonly KeyId[]>>;

const MODIFIERS = ["ctrl", "shift", "alt", "super"] as const;
const NAMED_KEYS =
  "escape esc enter return tab space backspace delete insert clear home end pageup pagedown up down left right f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12".split(
    " ",
  );
/** A plus joins the parts of a name, so it can't be one of them. */
const CHARACTER = /^[a-z0-9`\-=[\]\\;',./!@#$%^&*()_|~{}:<>?]$/;
const OTHER_NAMES: Readonly<Record<string, string>> = {
  control: "ctrl",
  option: "alt",
  meta: "alt",
  cmd: "super",
  command: "super",
  pgup: "pageup",
  pgdn: "pagedown",
  del: "delete",
};

export function isKeyId(name: string): name is KeyId {
  const { modifiers, key } = partsOf(name);
  return modifiers.every((part) => MODIFIERS.some((known) => known === part)) && isKey(key);
}

/** True for a key that writes something into the editor. */
export function isTyped(name: string): boolean {
  const { modifiers, key } = partsOf(name);
  return modifiers.every((part) => part === "shift") && (CHARACTER.test(key) || key === "space");
}

/** Two names of the same key are equal in this form. */
export function sameKeyForm(name: string): string {
  const { modifiers, key } = partsOf(name);
  const plain = key === "esc" ? "escape" : key === "return" ? "enter" : key;
  return [...modifiers.toSorted(), plain].join("+");
}

/** The usable name that was probably meant by an unusable one. */
export function meantKey(name: string): string | undefined {
  const { modifiers, key } = partsOf(name.includes("+") ? name : name.replaceAll("-", "+"));
  const meant = [
    ...modifiers.map((part) => OTHER_NAMES[part] ?? nearestName(part, MODIFIERS) ?? part),
    isKey(key) ? key : (OTHER_NAMES[key] ?? nearestName(key, NAMED_KEYS) ?? key),
  ].join("+");
  return isKeyId(meant) ? meant : undefined;
}

export function keyLabel(name: string): string {
  const { modifiers, key } = partsOf(name);
  return [...modifiers, LABELS[key] ?? key].map(capitalised).join("-");
}

const LABELS: Readonly<Record<string, string>> = {
  escape: "esc",
  return: "enter",
  pageup: "PgUp",
  pagedown: "PgDn",
};

function isKey(key: string): boolean {
  return CHARACTER.test(key) || NAMED_KEYS.includes(key);
}

function partsOf(name: string): { readonly modifiers: readonly string[]; readonly key: string } {
  const parts = name.toLowerCase().split("+");
  return { modifiers: parts.slice(0, -1), key: parts.at(-1) ?? "" };
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
