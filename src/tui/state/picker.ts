// A list to choose from, with a filter: models, sessions, themes, earlier prompts.
import { fuzzyFilter } from "@earendil-works/pi-tui";
import type { ChoiceItem } from "../../front/contract.ts";

export interface Picker {
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  readonly filter: string;
  /** Index among the items that match. */
  readonly selected: number;
  /** More about the selected item, below the list. */
  readonly preview: string;
}

export type PickerKey = "up" | "down" | "page-up" | "page-down" | "erase" | { readonly typed: string };

export const PICKER_ROWS = 10;

export function openPicker(title: string, items: readonly ChoiceItem[], selected = 0): Picker {
  return { title, items, filter: "", selected, preview: "" };
}

export function matchingItems({ items, filter }: Picker): readonly ChoiceItem[] {
  return filter.trim() === "" ? items : fuzzyFilter([...items], filter, (item) => item.label);
}

export function selectedItem(picker: Picker): ChoiceItem | undefined {
  return matchingItems(picker)[picker.selected];
}

export function pressPickerKey(picker: Picker, key: PickerKey): Picker {
  if (typeof key === "object") return { ...picker, filter: picker.filter + key.typed, selected: 0 };
  if (key === "erase") return { ...picker, filter: [...picker.filter].slice(0, -1).join(""), selected: 0 };
  const count = matchingItems(picker).length;
  if (count === 0) return picker;
  switch (key) {
    case "up":
      return { ...picker, selected: (picker.selected + count - 1) % count };
    case "down":
      return { ...picker, selected: (picker.selected + 1) % count };
    case "page-up":
      return { ...picker, selected: Math.max(0, picker.selected - PICKER_ROWS) };
    case "page-down":
      return { ...picker, selected: Math.min(count - 1, picker.selected + PICKER_ROWS) };
  }
}
