// What a session changed, for the pager: the list of files by turn, then the diff of each.
import { formatTime, plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { ChangedFile, TurnChanges } from "../../front/contract.ts";
import type { Theme } from "../theme/theme.ts";
import { columns } from "./columns.ts";
import { diffView } from "./diff.ts";
import type { Canvas } from "./look.ts";
import { fit, oneLine, pad, spread, wrap } from "./text.ts";

type Piece = (canvas: Canvas) => string[];

const MARGIN = "  ";
const SIGNS = { new: "A", changed: "M", deleted: "D" } as const;
const MOST_PATH_SHARE = 0.6;
/** The pager cuts nothing. */
const WHOLE_DIFF = { most: Number.POSITIVE_INFINITY, numbered: true };

/** Each is drawn when it comes into sight. */
export function changesPieces(turns: readonly TurnChanges[]): readonly Piece[] {
  return [
    (canvas) => headView(turns, canvas),
    ...turns.map(
      (turn): Piece =>
        (canvas) =>
          listView(turn, canvas),
    ),
    ...turns.flatMap(diffPieces),
  ];
}

function headView(turns: readonly TurnChanges[], { theme, width }: Canvas): string[] {
  const paths = new Set(turns.flatMap(({ files }) => files.map(({ path }) => path)));
  const facts = theme.faint(`${plural(paths.size, "file")}, ${plural(turns.length, "prompt")}`);
  return [spread(theme.accent(theme.strong("What this session changed")), facts, width)];
}

function listView(turn: TurnChanges, canvas: Canvas): string[] {
  const { theme } = canvas;
  const others = turn.others.map((file) => fileLine(file, canvas, theme.warning("by others")));
  return ["", turnLine(turn, canvas), ...turn.files.map((file) => fileLine(file, canvas)), ...others];
}

function turnLine({ number, prompt, at, lines, isUndone }: TurnChanges, { theme, width }: Canvas): string {
  const counts = lines === null || lines.added + lines.removed === 0 ? "" : countsView(lines, theme);
  const facts = [isUndone ? theme.warning("taken back") : counts, theme.faint(formatTime(at))];
  const right = facts.filter((fact) => fact !== "").join(theme.faint(" · "));
  const words = oneLine(stripTerminalControls(prompt));
  const left = `${theme.person(`${number} ❯`)} ${theme.person(theme.strong(words))}`;
  return spread(fit(left, Math.max(1, width - columns(right) - 2)), right, width);
}

function fileLine({ path, what, diff }: ChangedFile, { theme, width }: Canvas, remark = ""): string {
  const counts = diff.type === "text" ? countsView(diff.lines, theme) : theme.faint(oneLine(diff.reason));
  const facts = [remark, counts].filter((fact) => fact !== "").join(theme.faint(" · "));
  const room = Math.floor((width - 6) * MOST_PATH_SHARE);
  const name = pad(fit(visibleLine(path), room), Math.min(room, NAME_COLUMNS));
  return fit(`${MARGIN}  ${signView(what, theme)} ${name}  ${facts}`, width);
}

/** So that most counts stand in one column. */
const NAME_COLUMNS = 36;

function diffPieces(turn: TurnChanges): readonly Piece[] {
  const files = turn.isUndone ? [] : turn.files.filter(hasText).map((file) => diffPiece(file, ""));
  const others = turn.others.filter(hasText).map((file) => diffPiece(file, "by others"));
  const all = [...files, ...others];
  return all.length === 0 ? [] : [(canvas) => ["", turnRule(turn, canvas)], ...all];
}

function hasText({ diff }: ChangedFile): boolean {
  return diff.type === "text" && diff.diff !== "";
}

function diffPiece({ path, what, diff }: ChangedFile, remark: string): Piece {
  return (canvas) => {
    if (diff.type !== "text") return [];
    const { theme, width } = canvas;
    const name = theme.strong(visibleLine(path));
    const facts = [countsView(diff.lines, theme), remark === "" ? "" : theme.warning(remark)];
    const head = `${signView(what, theme)} ${name}  ${facts.filter((fact) => fact !== "").join("  ")}`;
    const lines = diffView(diff.diff, { ...canvas, width: width - MARGIN.length }, WHOLE_DIFF);
    return ["", ...wrap(head, width), ...lines.map((line) => MARGIN + line)];
  };
}

function turnRule({ number, prompt }: TurnChanges, { theme, width }: Canvas): string {
  const words = `${number} ❯ ${oneLine(stripTerminalControls(prompt))}`;
  const title = ` ${fit(words, Math.max(1, width - 6))} `;
  return (
    theme.border("──") +
    theme.person(title) +
    theme.border("─".repeat(Math.max(0, width - 2 - columns(title))))
  );
}

function signView(what: ChangedFile["what"], theme: Theme): string {
  const paint = { new: theme.added, changed: theme.accent, deleted: theme.removed }[what];
  return paint(SIGNS[what]);
}

function countsView({ added, removed }: NonNullable<TurnChanges["lines"]>, theme: Theme): string {
  return `${theme.added(`+${added}`)} ${theme.removed(`−${removed}`)}`;
}
