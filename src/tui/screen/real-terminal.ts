// The terminal this process runs in.
import { ProcessTerminal } from "@earendil-works/pi-tui";
import type { ScreenTerminal } from "./inline-screen.ts";

const MAX_BACKLOG = 256_000;
/** A terminal at the other end of a slow line; one that never answers isn't waited for longer. */
const MAX_ANSWER_MS = 600;
const LOOK_EVERY_MS = 5;

export class RealTerminal extends ProcessTerminal implements ScreenTerminal {
  #startedAt = 0;

  readonly isBehind = (): boolean => process.stdout.writableLength > MAX_BACKLOG;

  override start(onInput: (data: string) => void, onResize: () => void): void {
    this.#startedAt = performance.now();
    super.start(onInput, onResize);
  }

  /**
   * At its start a terminal is asked about its keyboard. Who leaves before the answer is there leaves it to the shell,
   * which takes it for something typed.
   */
  async answered(): Promise<void> {
    const isAnswered = () => this.kittyProtocolActive || this.modifyOtherKeysActive;
    while (!isAnswered() && performance.now() - this.#startedAt < MAX_ANSWER_MS)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
