// The terminal this process runs in.
import { ProcessTerminal } from "@earendil-works/pi-tui";
import type { ScreenTerminal } from "./inline-screen.ts";

const MAX_BACKLOG = 256_000;

export class RealTerminal extends ProcessTerminal implements ScreenTerminal {
  readonly isBehind = (): boolean => process.stdout.writableLength > MAX_BACKLOG;
}
