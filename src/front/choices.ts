// Lists that a command lets the person choose from. One is open at a time, and the first choice is final.
import type { AskedChoice, ChoiceItem, Preview } from "./contract.ts";
import type { Tell } from "./event-log.ts";

interface ChoiceOptions {
  readonly selected?: string;
  readonly about?: Preview;
  /** Describes one value. */
  readonly preview?: (value: string) => Promise<Preview>;
}

interface Open {
  readonly choice: AskedChoice;
  readonly preview: ChoiceOptions["preview"] | undefined;
  readonly resolve: (value: string | null) => void;
}

export class Choices {
  readonly #tell: Tell;
  #open: Open | null = null;
  #nextId = 1;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** null: none was chosen. */
  ask(title: string, items: readonly ChoiceItem[], options: ChoiceOptions = {}): Promise<string | null> {
    if (this.#open !== null) this.settle(this.#open.choice.id, null);
    const { preview, ...shown } = options;
    const choice = { id: this.#nextId++, title, items, ...shown, hasPreviews: preview !== undefined };
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#open = { choice, preview, resolve };
    this.#tell({ type: "choice-asked", choice });
    return promise;
  }

  open(): AskedChoice | null {
    return this.#open?.choice ?? null;
  }

  settle(id: number, value: string | null): void {
    const open = this.#open;
    if (open === null || open.choice.id !== id) return;
    const chosen = open.choice.items.some((item) => item.value === value) ? value : null;
    this.#open = null;
    this.#tell({ type: "choice-settled", choice: id, value: chosen });
    open.resolve(chosen);
  }

  async preview(id: number, value: string): Promise<Preview> {
    const preview = this.#open?.choice.id === id ? await this.#open.preview?.(value) : undefined;
    return preview ?? { text: "" };
  }
}
