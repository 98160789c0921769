// The editor with our look: a prompt sign, a border that names the mode, a placeholder when it is empty.
import { Editor, type EditorTheme, type TUI } from "@earendil-works/pi-tui";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { Theme } from "../theme/theme.ts";
import { fit } from "../view/text.ts";

const SIGN = "❯";
const PADDING = 2;
const MAX_SUGGESTIONS = 8;
/** How the editor itself shows a folded paste. */
const FOLDED_PASTE = /\[paste #\d+ \+?(\d+ (?:lines|chars))\]/g;
const PASTE_END = "\u001b[201~";

interface EditorLook {
  readonly theme: () => Theme;
  /** Text in the upper border. */
  readonly label: () => string;
  readonly placeholder: () => string;
}

export class PromptEditor extends Editor {
  readonly #look: EditorLook;
  #holdsUnanswered = false;

  constructor(tui: TUI, look: EditorLook) {
    super(tui, editorTheme(look), { paddingX: PADDING, autocompleteMaxVisible: MAX_SUGGESTIONS });
    this.#look = look;
    this.focused = true;
    // Sending empties the editor, too: only what is still empty afterwards was cleared by the person.
    this.onChange = (text) => {
      if (text === "") queueMicrotask(() => this.getText() === "" && this.takeUnanswered());
    };
  }

  /** Text that nobody typed here may come from a session's file. */
  override setText(text: string): void {
    super.setText(stripTerminalControls(text));
  }

  override addToHistory(text: string): void {
    super.addToHistory(stripTerminalControls(text));
  }

  /** Puts back a prompt that was never answered. */
  returnUnanswered(text: string): void {
    this.putBefore(text);
    this.#holdsUnanswered = true;
  }

  /** Whether the text is a prompt that was never answered, changed or not; false from then on. */
  takeUnanswered(): boolean {
    const held = this.#holdsUnanswered;
    this.#holdsUnanswered = false;
    return held;
  }

  /** Puts returned text before what the person has typed meanwhile. */
  putBefore(text: string): void {
    this.setText([text, this.getExpandedText()].filter((part) => part !== "").join("\n"));
  }

  /** The editor would count an empty last line, so the final line break is inserted after the folded paste. */
  override handleInput(data: string): void {
    const pasted = data.endsWith(PASTE_END) ? data.slice(0, -PASTE_END.length) : "";
    const folded = pasted.replace(/(?:\r\n|\r|\n)$/, "");
    super.handleInput(folded === pasted ? data : folded + PASTE_END);
    if (folded !== pasted) this.insertTextAtCursor("\n");
  }

  override render(width: number): string[] {
    const lines = super.render(width).map((line) => line.replace(FOLDED_PASTE, "[paste: $1]"));
    const first = lines[1] ?? "";
    const theme = this.#look.theme();
    const sign = theme.person(SIGN);
    const placeholder = this.getText() === "" ? theme.faint(this.#look.placeholder()) : "";
    const text =
      placeholder === "" ? first.slice(PADDING) : `${first.slice(PADDING).trimEnd()} ${placeholder}`;
    return lines.with(1, fit(`${sign} ${text}`, width)).map((line) => line.trimEnd());
  }

  protected override renderTopBorder(width: number, hiddenLineCount: number): string {
    const theme = this.#look.theme();
    const hidden = hiddenLineCount > 0 ? `↑ ${hiddenLineCount} more` : "";
    const label = [this.#look.label(), hidden].filter((text) => text !== "").join(" · ");
    if (label === "") return theme.border("─".repeat(width));
    const shown = fit(` ${label} `, Math.max(0, width - 4));
    return (
      theme.border("──") +
      theme.warning(shown) +
      theme.border("─".repeat(Math.max(0, width - 2 - shown.length)))
    );
  }

  protected override renderBottomBorder(width: number, hiddenLineCount: number): string {
    const theme = this.#look.theme();
    const label = hiddenLineCount > 0 ? ` ↓ ${hiddenLineCount} more ` : "";
    return theme.border(`──${label}`.padEnd(width, "─").slice(0, width));
  }
}

/** Asks for the theme each time, so that a change shows at once. */
function editorTheme({ theme }: EditorLook): EditorTheme {
  return {
    borderColor: (text) => theme().border(text),
    selectList: {
      selectedPrefix: (text) => theme().accent(text),
      selectedText: (text) => theme().selected(text),
      description: (text) => theme().dim(text),
      scrollInfo: (text) => theme().faint(text),
      noMatch: (text) => theme().faint(text),
    },
  };
}
