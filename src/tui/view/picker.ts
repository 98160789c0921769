// A list to choose from, with its filter and a preview of what is selected.
import { matchingItems, PICKER_ROWS, type Picker } from "../state/picker.ts";
import type { Canvas } from "./canvas.ts";
import { fit, pad, wrap } from "./text.ts";

const MAX_PREVIEW_LINES = 8;
const MAX_LABEL_SHARE = 0.6;
/** Title, filter, and the help with the line before it. */
const FRAME_LINES = 4;

/** rows: how many lines it may take; the selected item is always among them. */
export function pickerView(picker: Picker, { width, theme }: Canvas, rows: number): string[] {
  const items = matchingItems(picker);
  const most = Math.max(1, Math.min(PICKER_ROWS, rows - FRAME_LINES));
  const start = Math.max(0, Math.min(picker.selected - Math.floor(most / 2), items.length - most));
  const visible = items.slice(start, start + most);
  const longest = Math.max(0, ...visible.map(({ label }) => label.length));
  const column = Math.min(longest, Math.floor((width - 6) * MAX_LABEL_SHARE));
  const list = visible.map((item, index) => {
    const isSelected = start + index === picker.selected;
    const label = pad(fit(item.label, column), column);
    const line = `${isSelected ? "❯" : " "} ${isSelected ? theme.selected(label) : label}  ${theme.dim(item.detail)}`;
    return fit(line, width);
  });
  const count = items.length > most ? ` ${picker.selected + 1}/${items.length}` : "";
  const left = Math.max(0, rows - FRAME_LINES - visible.length - 1);
  const preview = wrap(picker.preview, width - 4).slice(0, Math.min(MAX_PREVIEW_LINES, left));
  return [
    fit(`${theme.accent(theme.strong(picker.title))}${theme.faint(count)}`, width),
    fit(`${theme.dim("filter:")} ${picker.filter}${theme.accent("▏")}`, width),
    ...(picker.loading ? [theme.faint("  loading…")] : []),
    ...(!picker.loading && items.length === 0 ? [theme.faint("  nothing matches")] : []),
    ...list,
    ...(picker.preview === "" || left === 0 ? [] : ["", ...preview.map((line) => theme.dim(`  ${line}`))]),
    "",
    theme.faint("Enter chooses · Esc closes · type to filter"),
  ];
}
