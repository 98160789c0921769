// The last resort when a session ends and its folder can't be written: the whole conversation as one file in a
// temporary folder. Once a person moves it to the sessions' folder, it is the newest file and is used.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Mask } from "../base/secrets.ts";
import { errorMessage } from "../domain/error.ts";
import type { SessionPaths } from "./paths.ts";
import { encodeSnapshot } from "./snapshot.ts";
import type { SessionState } from "./state.ts";

/** Returns a sentence for the person: where the file is and where it belongs, or that the session is lost. */
export async function rescueSession(state: SessionState, paths: SessionPaths, mask: Mask): Promise<string> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "tunacode-unsaved-"));
    const path = join(folder, basename(paths.snapshot));
    const pieces = await Array.fromAsync(
      encodeSnapshot(state, state.conversation.messages.slice(), null, mask),
    );
    await writeFile(path, pieces, { mode: 0o600, flush: true });
    return `The session could not be saved. All of it is in ${path}. When that folder can be written again, move the file to ${paths.folder}.`;
  } catch (error) {
    return `The session could not be saved, not even in a temporary folder (${errorMessage(error)}): what was not on disk is lost.`;
  }
}
