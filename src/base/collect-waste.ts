// Memory that nothing needs any more, given back at once.
import { runtime } from "./runtime.ts";

/** Fewer leave too little behind to be worth the milliseconds. */
const MANY = 2_000;

/**
 * After work on each of `count` things: what was read or written along the way is then as large as what stays, and
 * would only be collected once the heap has grown by as much again.
 */
export function collectWaste(count: number): void {
  if (count >= MANY) runtime.gc(true);
}
