// Esc twice in a row goes back to an earlier prompt, where there is nothing that one Esc could mean: nothing runs and
// nothing is written. An Esc that follows one that stopped something belongs to that.
import type { Front } from "../../front/contract.ts";
import { isBusy, type ViewState } from "../state/view-state.ts";
import type { Store } from "../store.ts";
import type { PromptEditor } from "./prompt-editor.ts";

interface RewindKeyParts {
  readonly front: Front;
  readonly store: Store;
  readonly editor: PromptEditor;
}

const AGAIN_WITHIN_MS = 600;

export function stopOrRewind({ front, store, editor }: RewindKeyParts): () => void {
  let pressedAt = Number.NEGATIVE_INFINITY;
  let isFirst = false;
  return () => {
    const now = Date.now();
    const isAgain = now - pressedAt < AGAIN_WITHIN_MS;
    const state = store.get();
    const isFree = !isBusy(state) && editor.getText() === "" && hasPrompt(state);
    pressedAt = now;
    if (isFree && isAgain && isFirst) {
      isFirst = false;
      return front.send({ type: "rewind" });
    }
    isFirst = isFree && !isAgain;
    if (!isFree) return front.send({ type: "stop" });
    if (isFirst) showHint(store, `${state.keys.stop[0] ?? "Esc"} again goes back to an earlier prompt`);
  };
}

function hasPrompt({ transcript: { done } }: ViewState): boolean {
  return done.some(({ kind }) => kind === "prompt");
}

function showHint(store: Store, hint: string): void {
  store.change({ hint });
  const remove = () => store.get().hint === hint && store.change({ hint: "" });
  setTimeout(remove, AGAIN_WITHIN_MS).unref();
}
