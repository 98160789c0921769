// Frees memory right after bulk work.
import { runtime } from "./runtime.ts";

/** Fewer items leave too little garbage to be worth the milliseconds. */
const MANY = 2_000;

/**
 * Call it after processing `count` items. The garbage is then about as large as the live data, and the engine would
 * collect it only after the heap has grown by as much again.
 */
export function collectWaste(count: number): void {
  if (count >= MANY) runtime.gc(true);
}
