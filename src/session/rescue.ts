// The last resort when a session ends and its own folder takes nothing: the whole conversation as one file in a
// temporary folder. Moved to where it belongs, it is the newest there is and counts.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Mask } from "../base/secrets.ts";
import { errorMessage } from "../domain/error.ts";
import type { SessionPaths } from "./paths.ts";
import { encodeSnapshot } from "./snapshot.ts";
import type { SessionState } from "./state.ts";

/** A sentence for the person: where it is and where it belongs, or that it is lost. */
export async function rescueSession(state: SessionState, paths: SessionPaths, mask: Mask): Promise<string> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "tunacode-unsaved-"));
    const path = join(folder, basename(paths.snapshot));
    const pieces = await Array.fromAsync(
      encodeSnapshot(state, state.conversation.messages.slice(), null, mask),
    );
    await writeFile(path, pieces, { mode: 0o600, flush: true });
    return `The session could not be saved. All of it is in ${path}. Once it can be, move that file to ${paths.folder}.`;
  } catch (error) {
    return `The session could not be saved, not even in a temporary folder (${errorMessage(error)}): what was not on disk is lost.`;
  }
}
