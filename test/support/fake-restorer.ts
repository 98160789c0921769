// Files in memory, and a restorer that takes changes of them back as the real one does, without a disk.

import type { KeptBytes } from "../../src/app/undo-diff.ts";
import { sha256 } from "../../src/base/digest.ts";
import {
  isSameImage,
  joinChanges,
  type RestoreConflict,
  type RestorePlan,
  type RestoreStep,
} from "../../src/checkpoint/restore-plan.ts";
import type { Restorer } from "../../src/checkpoint/restoring.ts";
import { ABSENT, type ContentId, type FileChange, type FileImage } from "../../src/domain/file-change.ts";
import type { RestoreId } from "../../src/domain/ids.ts";

export class FakeFiles {
  readonly texts = new Map<string, string>();
  readonly #kept = new Map<ContentId, string>();
  /** Intents that nobody has settled. */
  readonly intents = new Map<RestoreId, { changes: FileChange[]; conflicts: RestoreConflict[] }>();

  image(path: string): FileImage {
    const text = this.texts.get(path);
    if (text === undefined) return ABSENT;
    const content: ContentId = `sha256:${sha256(text)}`;
    this.#kept.set(content, text);
    return { type: "file", content, mode: 0o644, size: Buffer.byteLength(text) };
  }

  /** undefined removes it. */
  write(path: string, text: string | undefined): FileChange {
    const before = this.image(path);
    if (text === undefined) this.texts.delete(path);
    else this.texts.set(path, text);
    return { path, before, after: this.image(path) };
  }

  kept(root: string): KeptBytes {
    const read = (content: ContentId) => {
      const text = this.#kept.get(content);
      return text === undefined ? null : Buffer.from(text);
    };
    return {
      root,
      read: async (_path, content) => read(content),
      readAll: async function* (wanted) {
        for (const one of wanted) yield { ...one, bytes: read(one.content) };
      },
    };
  }

  restorer(): Restorer {
    return {
      plan: async (changes) => this.#plan(changes),
      carryOut: async ({ steps, conflicts }, restoreId, overwrite) => {
        const chosen = conflicts.filter(({ path }) => overwrite.has(path));
        const result = {
          changes: [...steps, ...chosen].map(({ path, to }) => this.#put({ path, to })),
          conflicts: conflicts.filter(({ path }) => !overwrite.has(path)),
        };
        this.intents.set(restoreId, result);
        return result;
      },
      settle: async (restoreId) => {
        this.intents.delete(restoreId);
      },
      recover: async () => [...this.intents].map(([restoreId, result]) => ({ restoreId, ...result })),
    };
  }

  #plan(changes: readonly FileChange[]): RestorePlan {
    const steps: RestoreStep[] = [];
    const conflicts: RestoreConflict[] = [];
    for (const { path, before: to, after } of joinChanges(changes)) {
      const now = this.image(path);
      if (isSameImage(now, to)) continue;
      if (isSameImage(now, after)) steps.push({ path, from: now, to });
      else conflicts.push({ path, why: "changed since", now, to });
    }
    return { steps, conflicts };
  }

  #put({ path, to }: Pick<RestoreStep, "path" | "to">): FileChange {
    const text = to.type === "file" && to.content !== null ? this.#kept.get(to.content) : undefined;
    return this.write(path, text);
  }
}
