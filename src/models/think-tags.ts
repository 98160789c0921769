// Separates thoughts that a model writes as <think>...</think> at the very beginning of its text from the answer, even
// if a tag arrives in pieces.

const OPEN = "<think>";
const CLOSE = "</think>";

export interface Piece {
  readonly kind: "text" | "thinking";
  readonly text: string;
}

export interface ThinkTags {
  /** From here on only text can come. */
  readonly isOver: () => boolean;
  readonly push: (delta: string) => readonly Piece[];
  /** The text ends. Returns what was held back as a possible tag. */
  readonly end: () => readonly Piece[];
}

export function splitThinkTags(): ThinkTags {
  let state: "beginning" | "thinking" | "after-thinking" | "text" = "beginning";
  let held = "";

  const push = (delta: string): readonly Piece[] => {
    held += delta;
    if (state === "text") return release("text");
    if (state === "beginning") {
      const start = held.trimStart();
      if (start.length < OPEN.length && OPEN.startsWith(start)) return [];
      if (!start.startsWith(OPEN)) return release("text");
      held = start.slice(OPEN.length);
      state = "thinking";
    }
    if (state === "thinking") {
      const close = held.indexOf(CLOSE);
      if (close === -1) return thoughtSoFar();
      const thought = held.slice(0, close);
      held = held.slice(close + CLOSE.length);
      state = "after-thinking";
      return [...piece("thinking", thought), ...afterThinking()];
    }
    return afterThinking();
  };

  /** Blank lines between the thoughts and the answer belong to neither. */
  const afterThinking = (): readonly Piece[] => {
    held = held.trimStart();
    return held === "" ? [] : release("text");
  };

  const thoughtSoFar = (): readonly Piece[] => {
    const keep = tagPrefixLength(held);
    const thought = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return piece("thinking", thought);
  };

  const release = (kind: Piece["kind"]): readonly Piece[] => {
    const text = held;
    held = "";
    state = "text";
    return piece(kind, text);
  };

  return {
    isOver: () => state === "text",
    push,
    end: () => (state === "thinking" ? release("thinking") : release("text")),
  };
}

function piece(kind: Piece["kind"], text: string): readonly Piece[] {
  return text === "" ? [] : [{ kind, text }];
}

/** How many characters at the end may begin the closing tag. */
function tagPrefixLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}
