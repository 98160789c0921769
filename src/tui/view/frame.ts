// Everything on the screen that may still change: the live end of the transcript, and below it the question, the list
// or the editor with its bars. It never has more lines than the terminal has rows.
import { plural } from "../../base/numbers.ts";
import type { ViewState } from "../state/view-state.ts";
import { activityView } from "./activity.ts";
import { entryView, guarded } from "./entry.ts";
import { type Canvas, keyHint } from "./look.ts";
import { pickerView } from "./picker.ts";
import { questionView } from "./question.ts";
import { farewell, statusBarView } from "./status-bar.ts";
import { fit, oneLine } from "./text.ts";

/** A line of the transcript should stay visible, unless a question needs the room. */
const MIN_TRANSCRIPT_ROWS = 2;
const FEW_ROWS = 18;
const MAX_QUEUED = 5;
const TYPING = "typing goes to the prompt: pause to answer";

interface FrameParts {
  readonly state: ViewState;
  readonly canvas: Canvas;
  readonly rows: number;
  readonly editor: (width: number) => string[];
  /** There is text in the editor, or the person is writing the words of an answer: it is shown below a question too. */
  readonly hasText: boolean;
}

export function frameView(parts: FrameParts): string[] {
  const { state, canvas, rows } = parts;
  const bottom = bottomLines(parts).slice(0, rows);
  const live = state.transcript.live.flatMap((entry) => entryView(entry, canvas));
  const room = Math.max(0, rows - bottom.length);
  if (live.length <= room) return [...live, ...bottom];
  const hidden = live.length - room + 1;
  const more = canvas.theme.faint(`… ${hidden} lines above`);
  return [...(room > 0 ? [more] : []), ...live.slice(hidden), ...bottom];
}

function bottomLines({ state, canvas, rows, editor, hasText }: FrameParts): string[] {
  if (state.leaving) return lastLines(state, canvas);
  const { request, questions, picker } = state;
  const [question] = questions;
  const draw = (view: () => string[]) => guarded(view, canvas);
  const input = () => draw(() => editor(canvas.width));
  const gap = question !== undefined && rows < FEW_ROWS ? [] : [""];
  const activity =
    request === null || question !== undefined ? gap : draw(() => ["", ...activityView(request, canvas)]);
  const bar = draw(() => statusBarView(state, canvas));
  const fixed = activity.length + bar.length + (rows < FEW_ROWS ? 0 : MIN_TRANSCRIPT_ROWS);
  if (question !== undefined) {
    const words = hasText ? input() : [];
    const place = { rows: rows - fixed - words.length, of: questions.length };
    const remark = question.isTyping ? TYPING : "";
    const asked = draw(() => questionView(question, canvas, { ...place, remark }));
    return [...activity, ...asked, ...words, ...bar];
  }
  if (picker !== null) {
    const room = rows - activity.length - bar.length;
    return [...activity, ...draw(() => pickerView(picker, canvas, room)), ...bar];
  }
  return [...activity, ...draw(() => queueView(state, canvas)), ...input(), ...bar];
}

function lastLines(state: ViewState, { theme, width }: Canvas): string[] {
  const text = farewell(state);
  return text === null ? [""] : ["", fit(theme.faint(text), width)];
}

/** The queued prompts, and the outputs that will go with the next one. */
function queueView({ queue, waitingOutputs }: ViewState, { width, theme, keys }: Canvas): string[] {
  const shown = queue.slice(0, MAX_QUEUED).map(({ kind, text }) => {
    const when = kind === "steer" ? "with the next tool results" : "afterwards";
    return fit(`${theme.person("  ↳")} ${theme.dim(`${when}:`)} ${oneLine(text)}`, width);
  });
  const rest = queue.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [theme.faint(`    and ${rest} more`)] : []),
    ...(queue.length > 0 && keys.takeBack.length > 0
      ? [theme.faint(`    ${keyHint(keys.takeBack, "takes the last one back")}`)]
      : []),
    ...(waitingOutputs > 0
      ? [theme.faint(`  + the output of ${plural(waitingOutputs, "command")} goes with your next prompt`)]
      : []),
  ];
}
