// Cuts the middle out of a long text. Its beginning shows what it is, and its end how it turned out.

const HEAD_SHARE = 0.6;

/** Keeps `kept` characters of the text, with the remark between head and tail. */
export function headAndTail(text: string, kept: number, remark: string): string {
  const head = text.slice(0, Math.floor(kept * HEAD_SHARE));
  const tail = text.slice(text.length - (kept - head.length));
  // A cut through a surrogate pair leaves a lone surrogate, which no vendor accepts.
  return `${head}\n\n${remark}\n\n${tail}`.toWellFormed();
}
