// A list to choose from, with its filter and a preview of what is selected.
import { matchingItems, PICKER_ROWS, type Picker } from "../state/picker.ts";
import type { Canvas } from "./canvas.ts";
import { fit, pad, wrap } from "./text.ts";

const MAX_PREVIEW_LINES = 8;
const MAX_LABEL_SHARE = 0.6;

export function pickerView(picker: Picker, { width, theme }: Canvas): string[] {
  const items = matchingItems(picker);
  const start = Math.max(
    0,
    Math.min(picker.selected - Math.floor(PICKER_ROWS / 2), items.length - PICKER_ROWS),
  );
  const visible = items.slice(start, start + PICKER_ROWS);
  const longest = Math.max(0, ...visible.map(({ label }) => label.length));
  const column = Math.min(longest, Math.floor((width - 6) * MAX_LABEL_SHARE));
  const rows = visible.map((item, index) => {
    const isSelected = start + index === picker.selected;
    const label = pad(fit(item.label, column), column);
    const line = `${isSelected ? "❯" : " "} ${isSelected ? theme.selected(label) : label}  ${theme.dim(item.detail)}`;
    return fit(line, width);
  });
  const count = items.length > PICKER_ROWS ? ` ${picker.selected + 1}/${items.length}` : "";
  const preview = wrap(picker.preview, width - 4).slice(0, MAX_PREVIEW_LINES);
  return [
    fit(`${theme.accent(theme.strong(picker.title))}${theme.faint(count)}`, width),
    fit(`${theme.dim("filter:")} ${picker.filter}${theme.accent("▏")}`, width),
    ...(picker.loading ? [theme.faint("  loading…")] : []),
    ...(!picker.loading && items.length === 0 ? [theme.faint("  nothing matches")] : []),
    ...rows,
    ...(picker.preview === "" ? [] : ["", ...preview.map((line) => theme.dim(`  ${line}`))]),
    "",
    theme.faint("Enter chooses · Esc closes · type to filter"),
  ];
}
