// Finds where the last lines of a file begin by reading backwards, so that the end of a huge log is read at once.
import type { ByteSource } from "./file-lines.ts";

const BLOCK_BYTES = 64 * 1024;

export interface TailStart {
  readonly startByte: number;
  /** Fewer than requested if the file has fewer. */
  readonly lines: number;
}

/** `from` is where the text begins, after a BOM. Only for encodings in which lines end with byte 10. */
export async function findTail(
  source: ByteSource,
  from: number,
  size: number,
  lines: number,
  signal: AbortSignal,
): Promise<TailStart> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  let found = 0;
  for (let blockEnd = size; blockEnd > from; ) {
    const blockStart = Math.max(from, blockEnd - BLOCK_BYTES);
    const { bytesRead } = await source.read(buffer, 0, blockEnd - blockStart, blockStart);
    signal.throwIfAborted();
    const block = buffer.subarray(0, bytesRead);
    for (let at = block.lastIndexOf(10); at !== -1; at = at === 0 ? -1 : block.lastIndexOf(10, at - 1)) {
      // A newline at the very end closes the last line; no line begins after it.
      if (blockStart + at === size - 1) continue;
      found++;
      if (found === lines) return { startByte: blockStart + at + 1, lines };
    }
    blockEnd = blockStart;
  }
  return { startByte: from, lines: size > from ? found + 1 : 0 };
}
