// Counts what is kept for a session, and finds what is no longer the bytes that its name says.
import { nameFile } from "./file-bytes.ts";
import { listBlobs } from "./machine-room.ts";

export interface StoreCheck {
  readonly files: number;
  readonly bytes: number;
  /** Their paths. After an abort these are only those that were found by then. */
  readonly damaged: readonly string[];
}

/** `blobs` need not exist. */
export async function checkStore(blobs: string, signal: AbortSignal): Promise<StoreCheck> {
  const kept = await listBlobs(blobs);
  const damaged: string[] = [];
  for (const { path, content } of kept) {
    if (signal.aborted) break;
    const named = await nameFile(path, "sha256", Number.POSITIVE_INFINITY);
    if (named?.content !== content) damaged.push(path);
  }
  return { files: kept.length, bytes: kept.reduce((sum, each) => sum + each.bytes, 0), damaged };
}
