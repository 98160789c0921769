// The app's keys besides the editor's. The configuration can bind each action to other keys.
import {
  KeybindingsManager,
  type KeyId,
  matchesKey,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";
import { isKeyId, isTyped, type KeyBindings, type KeyOverrides, keyLabel } from "./key-names.ts";
import { keyProblems } from "./key-problems.ts";

const DEFAULT_KEYS = {
  stop: ["escape"],
  clear: ["ctrl+c"],
  leave: ["ctrl+d"],
  queue: ["alt+enter"],
  takeBack: ["alt+up"],
  unfold: ["ctrl+o"],
  searchHistory: ["ctrl+r"],
  externalEditor: ["ctrl+g"],
  pasteImage: ["ctrl+v"],
  nextMode: ["shift+tab"],
  redraw: ["ctrl+l"],
  suspend: ["ctrl+z"],
} as const satisfies Record<string, readonly KeyId[]>;

export type AppKey = keyof typeof DEFAULT_KEYS;
export const ALL_KEYS = Object.keys(DEFAULT_KEYS) as readonly AppKey[];
/** What people are told to press, the first key first; empty if there is none. */
export type KeyLabels = Readonly<Record<AppKey | "send" | "newLine", readonly string[]>>;

export interface AppKeys {
  readonly matches: (data: string, key: AppKey) => boolean;
  readonly labels: KeyLabels;
  /** What the configuration wants and can't have, in sentences. */
  readonly problems: readonly string[];
}

export function createAppKeys(overrides: KeyOverrides = {}): AppKeys {
  const all = bindings(overrides);
  if (Object.keys(overrides).length > 0)
    setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, copied(editorPart(all))));
  return {
    matches: (data, key) => (all[key] ?? []).some((id) => matchesKey(data, id)),
    labels: labelsOf(all),
    problems: keyProblems(overrides, all, isUsable),
  };
}

/** An action whose new keys are all unusable keeps its old ones, so that it can still be done. */
function bindings(overrides: KeyOverrides): KeyBindings {
  const defaults = { ...DEFAULT_KEYS, ...editorDefaults() };
  return Object.fromEntries(
    Object.entries<readonly KeyId[]>(defaults).map(([name, usual]) => {
      const given = overrides[name] ?? usual;
      const usable = given.filter((key) => isKeyId(key)).filter((key) => isUsable(name, key));
      return [name, usable.length === 0 && given.length > 0 ? usual : usable];
    }),
  );
}

/** A key that writes something would be missing in the editor. */
function isUsable(action: string, key: string): boolean {
  return isKeyId(key) && !(action in DEFAULT_KEYS && isTyped(key));
}

function editorDefaults(): KeyBindings {
  const entries: [string, { defaultKeys: KeyId | readonly KeyId[] }][] = Object.entries(TUI_KEYBINDINGS);
  return Object.fromEntries(
    entries.map(([name, { defaultKeys }]) => [
      name,
      typeof defaultKeys === "string" ? [defaultKeys] : defaultKeys,
    ]),
  );
}

function editorPart(all: KeyBindings): [string, readonly KeyId[]][] {
  return Object.entries(all).filter(([name]) => name in TUI_KEYBINDINGS);
}

function copied(entries: readonly [string, readonly KeyId[]][]): Record<string, KeyId[]> {
  return Object.fromEntries(entries.map(([name, keys]) => [name, [...keys]]));
}

function labelsOf(all: KeyBindings): KeyLabels {
  const label = (name: string) => (all[name] ?? []).map(keyLabel);
  const own = Object.fromEntries(ALL_KEYS.map((name) => [name, label(name)])) as Record<AppKey, string[]>;
  return { ...own, send: label("tui.input.submit"), newLine: label("tui.input.newLine") };
}

export const DEFAULT_LABELS: KeyLabels = labelsOf(bindings({}));
