// A call's label as it is drawn: in one line, with nothing in it that a terminal would obey.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { CallLabel } from "../../domain/tool.ts";
import { oneLine } from "./text.ts";

export function drawnLabel({ verb, subject, whole }: CallLabel): CallLabel {
  return {
    verb: oneLine(stripTerminalControls(verb)),
    subject: oneLine(stripTerminalControls(subject)),
    ...(whole === undefined ? {} : { whole: stripTerminalControls(whole) }),
  };
}
