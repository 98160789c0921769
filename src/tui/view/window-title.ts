// The title of the terminal's window or tab: whether something runs, and what the conversation is about.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { ViewState } from "../state/view-state.ts";
import { oneLine } from "./text.ts";

export function windowTitle({ session, request }: ViewState): string {
  const title = oneLine(stripTerminalControls(session.title));
  return `${request === null ? "" : "● "}tunacode${title === "" ? "" : `: ${title}`}`;
}
