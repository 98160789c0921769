// The label of a call as it is drawn: the subject on one line, and nothing in it hidden.
import { visibleLine } from "../../base/visible-text.ts";
import type { CallLabel } from "../../domain/tool.ts";
import { oneLine } from "./text.ts";

/** More than a row shows. */
const MOST_CHARACTERS = 2_000;

export function drawnLabel({ verb, subject, whole }: CallLabel): CallLabel {
  return {
    verb: drawnLine(verb),
    subject: drawnLine(subject),
    ...(whole === undefined ? {} : { whole: visibleLines(whole) }),
  };
}

/** On one line. */
function drawnLine(text: string): string {
  return oneLine(visibleLines(text.slice(0, MOST_CHARACTERS).trim()));
}

function visibleLines(text: string): string {
  return text.split("\n").map(visibleLine).join("\n");
}
