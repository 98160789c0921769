// Esc twice in a row goes back to an earlier prompt, where there is nothing that one Esc could mean: nothing runs and
// nothing is written. An Esc that follows one that stopped something belongs to that.
import type { Front } from "../../front/contract.ts";
import type { TranscriptEntry } from "../state/entry.ts";
import { isBusy, type ViewState } from "../state/view-state.ts";
import type { Store } from "../store.ts";
import type { PromptEditor } from "./prompt-editor.ts";

interface RewindKeyParts {
  readonly front: Front;
  readonly store: Store;
  readonly editor: PromptEditor;
}

const AGAIN_WITHIN_MS = 600;
const MOST_LIST_MS = 2_000;

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
      // Where much was changed, the list takes a moment.
      showHint(store, "Looking at what each prompt changed", MOST_LIST_MS);
      return front.send({ type: "rewind" });
    }
    isFirst = isFree && !isAgain;
    if (!isFree) return front.send({ type: "stop" });
    if (isFirst)
      showHint(store, `${state.keys.stop[0] ?? "Esc"} again goes back to an earlier prompt`, AGAIN_WITHIN_MS);
  };
}

/** In the conversation as it is now. */
function hasPrompt({ transcript: { done, dropped }, earlier, entriesLeft }: ViewState): boolean {
  return earlier.length > 0 || done.slice(Math.max(0, entriesLeft - dropped)).some(isPrompt);
}

function isPrompt({ kind }: TranscriptEntry): boolean {
  return kind === "prompt";
}

function showHint(store: Store, hint: string, ms: number): void {
  store.change({ hint });
  const remove = () => store.get().hint === hint && store.change({ hint: "" });
  setTimeout(remove, ms).unref();
}
