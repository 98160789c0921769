// What was found, until it is saved: first handed out, then written into the index on disk, so that a process after this
// one finds it neither twice nor never.
import type { ChangedBy, FileChange } from "../domain/file-change.ts";
import type { FoundChanges } from "./tracking.ts";

export class ChangeLog {
  readonly #root: string;
  readonly #onSaved: (changes: readonly FileChange[]) => void;
  #found: FoundChanges[] = [];
  #taken: readonly FoundChanges[] = [];

  constructor(root: string, onSaved: (changes: readonly FileChange[]) => void) {
    this.#root = root;
    this.#onSaved = onSaved;
  }

  get isSaved(): boolean {
    return this.#found.length === 0 && this.#taken.length === 0;
  }

  note(by: ChangedBy, changes: readonly FileChange[]): void {
    if (changes.length > 0) this.#found.push({ root: this.#root, by, changes });
  }

  /** Whoever takes has saved what they took before. */
  take(): readonly FoundChanges[] {
    this.noteSaved();
    this.#taken = this.#found;
    this.#found = [];
    return this.#taken;
  }

  noteSaved(): void {
    for (const { changes } of this.#taken) this.#onSaved(changes);
    this.#taken = [];
  }
}
