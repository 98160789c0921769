// A list to choose from, with its filter and a preview of what is selected.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { matchingItems, PICKER_ROWS, type Picker } from "../state/picker.ts";
import type { Canvas } from "./look.ts";
import { listView } from "./panel.ts";
import { fit, wrap } from "./text.ts";

const MAX_PREVIEW_LINES = 8;
/** Title, filter, the blank line and the help. */
const FRAME_LINES = 4;

/** rows: how many lines it may take; the selected item is always visible. */
export function pickerView(picker: Picker, canvas: Canvas, rows: number): string[] {
  const { width, theme } = canvas;
  const items = matchingItems(picker);
  const most = Math.max(1, Math.min(PICKER_ROWS, rows - FRAME_LINES));
  const start = Math.max(0, Math.min(picker.selected - Math.floor(most / 2), items.length - most));
  const visible = items.slice(start, start + most);
  const left = Math.max(0, rows - FRAME_LINES - visible.length - 1);
  const preview = wrap(stripTerminalControls(picker.preview), width - 4).slice(
    0,
    Math.min(MAX_PREVIEW_LINES, left),
  );
  return listView(
    {
      title: picker.title,
      count: items.length > most ? ` ${picker.selected + 1}/${items.length}` : "",
      above: [
        fit(`${theme.dim("filter:")} ${picker.filter}${theme.accent("▏")}`, width),
        ...(items.length === 0 ? [theme.faint("  nothing matches")] : []),
      ],
      rows: visible.map(({ label, detail }) => [label, detail]),
      selected: picker.selected - start,
      below:
        picker.preview === "" || left === 0 ? [] : ["", ...preview.map((line) => theme.dim(`  ${line}`))],
      keys: "Enter chooses · Esc closes · type to filter",
    },
    canvas,
  );
}
