// How the session stands: the line below the editor, the title of the terminal's window, and the last line.
import { basename } from "node:path";
import { formatCount, plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { PermissionMode } from "../../domain/permission.ts";
import { describeCost, isFree } from "../../domain/usage.ts";
import type { ViewState } from "../state/view-state.ts";
import type { Paint, Theme } from "../theme/theme.ts";
import { columns } from "./columns.ts";
import type { Canvas } from "./look.ts";
import { fit, oneLine } from "./text.ts";

const SEPARATOR = " · ";
const MAX_TITLE = 40;

/** The more important a fact, the further left it is. What doesn't fit is left out. */
export function statusBarView(state: ViewState, { width, theme }: Canvas): string[] {
  if (state.hint !== "") return [fit(` ${theme.warning(state.hint)}`, width)];
  if (state.sessionId === "") return [fit(theme.faint(" Opening the session…"), width)];
  const left = [modeFact(state, theme), modelFact(state, theme), contextFact(state, theme)];
  const right = [
    state.sandbox ? theme.dim("sandbox") : "",
    isFree(state.usage) ? "" : theme.dim(describeCost(state.usage)),
    state.branch === null ? "" : theme.dim(`git:${oneLine(stripTerminalControls(state.branch))}`),
    state.editedFiles.length === 0 ? "" : theme.dim(`${plural(state.editedFiles.length, "file")} edited`),
    state.request === null || state.lastAction === "" ? "" : theme.faint(`last: ${state.lastAction}`),
    theme.faint(fit(oneLine(stripTerminalControls(state.title)), MAX_TITLE)),
  ];
  const folders = [state.folder, basename(state.folder)].map(theme.dim);
  return [layOut({ left, right, folders }, width, theme)];
}

interface Facts {
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** The folder as a path, and as a name. */
  readonly folders: readonly string[];
}

/** Facts are dropped from the right until the rest fits; the folder never replaces another fact. */
function layOut({ left, right, folders }: Facts, width: number, theme: Theme): string {
  const separator = theme.faint(SEPARATOR);
  const join = (facts: readonly string[]) => facts.filter((fact) => columns(fact) > 0).join(separator);
  const start = ` ${join(left)}`;
  for (let count = right.length; count >= 0; count--)
    for (const folder of [...folders, ""]) {
      const end = join([folder, ...right.slice(0, count)]);
      const room = width - columns(start) - columns(end) - 1;
      if (end === "" ? room >= 0 : room >= 2) return end === "" ? start : start + " ".repeat(room) + end;
    }
  return fit(start, width);
}

function modeFact({ mode, planning }: ViewState, theme: Theme): string {
  if (planning) return theme.warning(theme.strong("plan"));
  return MODE_PAINTS[mode](theme)(theme.strong(mode));
}

const MODE_PAINTS: Readonly<Record<PermissionMode, (theme: Theme) => Paint>> = {
  ask: (theme) => theme.accent,
  "auto-edit": (theme) => theme.success,
  auto: (theme) => theme.warning,
  "read-only": (theme) => theme.info,
  yolo: (theme) => theme.danger,
};

/** Who answers, and in whose place. */
function modelFact({ model, standIn }: ViewState, theme: Theme): string {
  const name = oneLine(stripTerminalControls(model.name));
  if (standIn === null) return theme.dim(name);
  return theme.warning(oneLine(stripTerminalControls(standIn.name))) + theme.dim(` (for ${name})`);
}

function contextFact({ contextTokens, model, standIn }: ViewState, theme: Theme): string {
  const used = formatCount(contextTokens);
  const { contextWindow } = standIn ?? model;
  if (contextWindow === undefined) return theme.dim(`${used} tokens`);
  const share = contextTokens / contextWindow;
  const paint = share < 0.6 ? theme.dim : share < 0.8 ? theme.warning : theme.danger;
  return paint(`${used}/${formatCount(contextWindow)} ${Math.round(share * 100)}%`);
}

/** Says whether something runs, where, and what the conversation is about. */
export function windowTitle({ title, request, folder }: ViewState): string {
  const running = request === null ? "" : "● ";
  const place = folder === "" ? "" : ` · ${basename(folder)}`;
  const topic = oneLine(stripTerminalControls(title));
  return `${running}tunacode${place}${topic === "" ? "" : `: ${topic}`}`;
}

/** How to go on with this conversation; null: nothing is on disk before the first prompt. */
export function farewell({ sessionId, transcript }: ViewState): string | null {
  if (transcript.done.every(({ kind }) => kind === "notice" || kind === "panel")) return null;
  return `To go on: tunacode --resume ${sessionId.slice(0, 8)}`;
}
