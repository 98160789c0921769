// The label of a call as it is drawn: on one line, without control sequences.
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
