// The title of the terminal's window or tab: whether something runs, where, and what the conversation is about.
import { basename } from "node:path";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { ViewState } from "../state/view-state.ts";
import { oneLine } from "./text.ts";

export function windowTitle({ title: sessionTitle, request, folder }: ViewState): string {
  const title = oneLine(stripTerminalControls(sessionTitle));
  return `${request === null ? "" : "● "}tunacode${folder === "" ? "" : ` · ${basename(folder)}`}${title === "" ? "" : `: ${title}`}`;
}
