// Keeps output that is too long for the conversation: beside the session, or without one in a temporary folder.
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionWriter } from "../session/writer.ts";

/** File systems allow names of 255 bytes. */
const MAX_NAME = 200;

interface KeptOutput {
  readonly folder: () => Promise<string>;
  /** Returns the file's path. */
  readonly keep: (name: string, text: string) => Promise<string>;
  /** The folder, whether it exists yet or not. The agent may read in it. */
  readonly place: string;
  readonly remove: () => void;
}

export function keptOutput(writer: SessionWriter | null): KeptOutput {
  if (writer !== null) {
    return {
      folder: () => writer.filesFolder(),
      keep: (name, text) => writer.keepAside(name, text),
      place: writer.paths.files,
      remove: () => {},
    };
  }
  const place = mkdtempSync(join(tmpdir(), "tunacode-output-"));
  return {
    folder: async () => place,
    keep: async (name, text) => {
      // The name is a call's id, which a vendor chose: it must not lead out of the folder.
      const path = join(place, `${name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME)}.txt`);
      await writeFile(path, text, { mode: 0o600 });
      return path;
    },
    place,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}
