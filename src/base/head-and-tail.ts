// Cuts the middle out of a long text: the beginning tells what it is, the end how it went.

const HEAD_SHARE = 0.6;

/** Of `text`, the characters that are kept, with `remark` between them. */
export function headAndTail(text: string, kept: number, remark: string): string {
  const head = text.slice(0, Math.floor(kept * HEAD_SHARE));
  const tail = text.slice(text.length - (kept - head.length));
  // Well-formed: a cut may go through a pair of surrogates, which no vendor accepts.
  return `${head}\n\n${remark}\n\n${tail}`.toWellFormed();
}
