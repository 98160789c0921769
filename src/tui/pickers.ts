// Lists on the screen as promises: the value that was chosen, or null.
import { matchesKey } from "@earendil-works/pi-tui";
import type { ChoiceItem, Preview } from "../front/contract.ts";
import { NO_PREVIEW, pressPickerKey, selectedItem } from "./state/picker.ts";
import type { Store } from "./store.ts";

interface PickOptions {
  readonly selected?: string;
  /** Called when the selection moves, for a live preview. */
  readonly onSelect?: (value: string) => void;
  /** About the selected item, below the list. */
  readonly preview?: (value: string) => Promise<Preview>;
}

export class Pickers {
  readonly #store: Store;
  #options: PickOptions = {};
  #resolve: (value: string | null) => void = () => {};

  constructor(store: Store) {
    this.#store = store;
  }

  pick(title: string, items: readonly ChoiceItem[], options: PickOptions = {}): Promise<string | null> {
    this.#resolve(null);
    const index = items.findIndex(({ value }) => value === options.selected);
    const selected = Math.max(0, index);
    this.#options = options;
    this.#store.change({ hint: "", picker: { title, items, filter: "", selected, preview: NO_PREVIEW } });
    this.#selectionChanged();
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#resolve = resolve;
    return promise;
  }

  /** True: there is a list, and it took the key. */
  handleKey(data: string): boolean {
    const { picker } = this.#store.get();
    if (picker === null) return false;
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.close(null);
    else if (matchesKey(data, "enter")) this.close(selectedItem(picker)?.value ?? null);
    else {
      const pressed = pressPickerKey(picker, data);
      if (pressed === picker) return true;
      this.#store.change({ picker: { ...pressed, preview: NO_PREVIEW } });
      this.#selectionChanged();
    }
    return true;
  }

  close(value: string | null): void {
    const resolve = this.#resolve;
    this.#resolve = () => {};
    this.#store.change({ picker: null });
    resolve(value);
  }

  #selectionChanged(): void {
    const { picker } = this.#store.get();
    const item = picker === null ? undefined : selectedItem(picker);
    if (item === undefined) return;
    this.#options.onSelect?.(item.value);
    this.#options.preview?.(item.value).then(
      (preview) => this.#showPreview(item, preview),
      // A missing preview does no harm: an unreadable session is reported when it is chosen.
      () => {},
    );
  }

  #showPreview(item: ChoiceItem, preview: Preview): void {
    const { picker } = this.#store.get();
    if (picker !== null && selectedItem(picker)?.value === item.value)
      this.#store.change({ picker: { ...picker, preview } });
  }
}
