// Marks text that neither the person nor the program wrote (a page, a file, what came through a pipe), so that the model
// can tell it from instructions. The mark's id is made after the text is there, so the text can't contain it and end
// the mark early.

/** id: only where the same text must be marked the same way each time, and then one that nobody outside can know. */
export function outsideText(text: string, source: string, id = newMarkId()): string {
  return `<outside source="${inAttribute(source)}" id="${id}">\n${text}\n</outside id="${id}">`;
}

/** Where a marked text comes from; null if it is not marked. */
export function outsideSource(text: string): string | null {
  return /^<outside source="([^"\n]*)" id=/.exec(text)?.[1] ?? null;
}

const ID_LENGTH = 12;
const LONGEST_SOURCE = 1_000;

function newMarkId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, ID_LENGTH);
}

function inAttribute(source: string): string {
  return source.replace(/["<>\p{Cc}]/gu, "?").slice(0, LONGEST_SOURCE);
}
