// Characters that show nothing but change what a line seems to say: a person who is asked must see them.
import type { Theme } from "../theme/theme.ts";

/** Bidirectional controls and zero-width characters, but not the joiners that scripts and emoji need. */
const HIDDEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function showHidden(text: string, theme: Theme): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return theme.danger(`⟨U+${code}⟩`);
  });
}
