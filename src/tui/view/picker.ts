// A list to choose from, with its filter and a preview of what is selected.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { Preview } from "../../front/contract.ts";
import { matchingItems, PICKER_ROWS, type Picker } from "../state/picker.ts";
import { diffView } from "./diff.ts";
import type { Canvas } from "./look.ts";
import { listView } from "./panel.ts";
import { fit, wrap } from "./text.ts";

const MAX_TEXT_LINES = 8;
const MAX_DIFF_LINES = 12;
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
  const preview = previewView(picker.preview, { ...canvas, width: width - 4 }, left);
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
      below: preview.length === 0 ? [] : ["", ...preview.map((line) => `  ${line}`)],
      keys: "Enter chooses · Esc closes · type to filter",
    },
    canvas,
  );
}

/** A diff takes the room that is there; the pager shows all of it. */
export function previewView(
  { text, diff }: Preview,
  canvas: Canvas,
  rows = Number.POSITIVE_INFINITY,
): string[] {
  const words = text === "" ? [] : wrap(stripTerminalControls(text), canvas.width);
  const told = words.slice(0, canvas.unfolded ? words.length : Math.min(MAX_TEXT_LINES, rows));
  // One line says how many are missing.
  const most = Math.min(MAX_DIFF_LINES, rows - told.length - 1);
  if (diff === undefined || most < 1) return told.map(canvas.theme.dim);
  return [...told.map(canvas.theme.dim), ...diffView(diff, canvas, { most, numbered: true })];
}
