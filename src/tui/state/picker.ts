// A list to choose from, with a filter: models, sessions, themes, earlier prompts.
import { fuzzyFilter, matchesKey } from "@earendil-works/pi-tui";
import type { ChoiceItem, Preview } from "../../front/contract.ts";

export interface Picker {
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  readonly filter: string;
  /** Index among the matching items. */
  readonly selected: number;
  /** About the selected item, below the list. */
  readonly preview: Preview;
}

export const PICKER_ROWS = 10;
export const NO_PREVIEW: Preview = { text: "" };

export function matchingItems({ items, filter }: Picker): readonly ChoiceItem[] {
  return filter.trim() === "" ? items : fuzzyFilter([...items], filter, (item) => item.label);
}

export function selectedItem(picker: Picker): ChoiceItem | undefined {
  return matchingItems(picker)[picker.selected];
}

/** Returns the same object if the key means nothing here. */
export function pressPickerKey(picker: Picker, data: string): Picker {
  const { filter, selected } = picker;
  const count = matchingItems(picker).length;
  const moved = (to: number) => (count === 0 ? picker : { ...picker, selected: to });
  if (matchesKey(data, "up") || matchesKey(data, "ctrl+p")) return moved((selected + count - 1) % count);
  if (matchesKey(data, "down") || matchesKey(data, "ctrl+n")) return moved((selected + 1) % count);
  if (matchesKey(data, "pageUp")) return moved(Math.max(0, selected - PICKER_ROWS));
  if (matchesKey(data, "pageDown")) return moved(Math.min(count - 1, selected + PICKER_ROWS));
  if (matchesKey(data, "backspace"))
    return { ...picker, filter: [...filter].slice(0, -1).join(""), selected: 0 };
  const isPrintable = data.charCodeAt(0) >= 32 && !data.includes("\u001b") && data !== "\u007f";
  return isPrintable ? { ...picker, filter: filter + data, selected: 0 } : picker;
}
