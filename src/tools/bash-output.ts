// Collects a command's output as it arrives: strips and masks it, holds its beginning and its end in memory, and writes
// all of it to a file once it is longer than that.
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../base/defined.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage } from "../domain/error.ts";
import type { ToolPorts } from "./ports.ts";

/** With the remark between them they stay below the promised 30,000. The end gets more: that is where errors are. */
const HEAD_CHARACTERS = 9_500;
const TAIL_CHARACTERS = 19_500;
export const MAX_OUTPUT_CHARACTERS = 30_000;
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** A longer line is processed in pieces. */
const MAX_HELD_CHARACTERS = 64 * 1024;
/** Held back when a line is cut: it may end with the beginning of a key, which can't be masked yet. */
const KEPT_TOGETHER = 512;

interface BashOutputPorts extends Pick<ToolPorts, "mask" | "spillFolder" | "maxCommandOutput"> {
  /** Receives every piece of clean text as it arrives. */
  readonly onText: (text: string) => void;
}

export function createBashOutput(ports: BashOutputPorts) {
  const decoder = new TextDecoder();
  const spill = createSpill(ports.spillFolder);
  const share = outputCharacters(ports.maxCommandOutput) / MAX_OUTPUT_CHARACTERS;
  const headMost = Math.floor(HEAD_CHARACTERS * share);
  const tailMost = Math.floor(TAIL_CHARACTERS * share);
  let held = "";
  let head = "";
  let tail = "";
  let total = 0;

  const take = async (raw: string) => {
    const text = ports.mask(stripTerminalControls(raw));
    if (text === "") return;
    const room = headMost - head.length;
    head += text.slice(0, room);
    tail += text.slice(room);
    total += text.length;
    ports.onText(text);
    if (total <= headMost + tailMost) return;
    // On the first spill, head and tail still contain everything so far.
    await spill.write(spill.started() ? text : head + tail);
    tail = tail.slice(Math.max(0, tail.length - tailMost));
  };

  return {
    async push(bytes: Uint8Array): Promise<undefined> {
      held += decoder.decode(bytes, { stream: true });
      // Only whole lines are processed: a chunk may end inside an escape sequence or a key.
      let end = held.lastIndexOf("\n") + 1;
      if (end === 0 && held.length > MAX_HELD_CHARACTERS) {
        held = ports.mask(held);
        end = Math.max(0, held.length - KEPT_TOGETHER);
      }
      if (end === 0) return undefined;
      const ready = held.slice(0, end);
      held = held.slice(end);
      await take(ready);
      return undefined;
    },
    /** The text for the model. */
    async finish(): Promise<{ readonly text: string; readonly keptIn?: string }> {
      await take(held + decoder.decode());
      held = "";
      if (!spill.started()) return { text: head + tail };
      const left = total - head.length - tailMost;
      const remark = `[... ${left} characters left out; ${spill.describe(total)} ...]`;
      // The cut may leave a lone surrogate, which no vendor accepts.
      const text = `${head}\n\n${remark}\n\n${tail}`.toWellFormed();
      return { text, ...defined({ keptIn: spill.path() }) };
    },
    close: spill.close,
  };
}

/** A person can lower how much of an output the model sees, but not raise it. */
export function outputCharacters(asked: number = MAX_OUTPUT_CHARACTERS): number {
  return Math.min(asked, MAX_OUTPUT_CHARACTERS);
}

function createSpill(folder: () => Promise<string>) {
  let file: { readonly path: string; readonly handle: FileHandle } | null = null;
  let problem: string | null = null;
  let bytesLeft = MAX_FILE_BYTES;
  let isStarted = false;
  let writing: Promise<void> = Promise.resolve();
  const append = async (text: string) => {
    try {
      if (file === null) {
        const path = join(await folder(), `bash-${crypto.randomUUID().slice(0, 8)}.txt`);
        file = { path, handle: await open(path, "wx", 0o600) };
      }
      const bytes = Buffer.from(text).subarray(0, bytesLeft);
      bytesLeft -= bytes.length;
      await file.handle.appendFile(bytes);
    } catch (error) {
      // A full disk must not lose the command's result.
      problem = errorMessage(error);
    }
  };
  return {
    started: () => isStarted,
    path: () => file?.path,
    async write(text: string): Promise<void> {
      isStarted = true;
      if (problem !== null || bytesLeft <= 0) return;
      writing = append(text);
      await writing;
    },
    describe(total: number): string {
      if (file === null) return `the whole output could not be saved: ${problem}`;
      if (problem !== null) return `a part of it was saved in ${file.path}: ${problem}`;
      if (bytesLeft > 0) return `the whole output is in ${file.path}; search it with grep or read_file`;
      return `the first ${MAX_FILE_BYTES / 1024 / 1024} MB of ${total} characters are in ${file.path}`;
    },
    /** Waits for a write that is under way, because an abort may come during one, and allows no further ones. */
    async close(): Promise<void> {
      bytesLeft = 0;
      await writing;
      await file?.handle.close();
    },
  };
}
