// The app's keys besides the editor's. The configuration can bind each action to other keys.
import {
  KeybindingsManager,
  type KeyId,
  matchesKey,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";

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
/** App keys have the names above, editor keys those of pi-tui ("tui.editor.undo"). */
export type KeyOverrides = Readonly<Record<string, readonly string[]>>;
export type AppKeys = (data: string, key: AppKey) => boolean;

export function createAppKeys(overrides: KeyOverrides = {}): AppKeys {
  const own: Record<string, readonly string[]> = { ...DEFAULT_KEYS, ...overrides };
  const editorKeys = Object.entries(overrides).filter(([name]) => name in TUI_KEYBINDINGS);
  if (editorKeys.length > 0)
    setKeybindings(
      new KeybindingsManager(
        TUI_KEYBINDINGS,
        Object.fromEntries(editorKeys.map(([name, keys]) => [name, keys.filter(isKeyId)])),
      ),
    );
  return (data, key) => (own[key] ?? []).some((id) => isKeyId(id) && matchesKey(data, id));
}

/** A key that doesn't exist never matches; the check of the configuration reports it. */
function isKeyId(id: string): id is KeyId {
  return /^(?:(?:ctrl|shift|alt|super)\+)*\S+$/.test(id);
}
