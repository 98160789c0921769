// What /copy takes from a conversation: the last answer as it was written, or the last code in one.
import { stripTerminalControls } from "../base/terminal-text.ts";
import { INTERRUPTED, type Message, visibleText } from "../domain/message.ts";
import { type Block, blocksOf, type CodeBlock } from "./state/answer-blocks.ts";

/** As Markdown; null: nothing was answered yet. */
export function lastAnswer(messages: readonly Message[]): string | null {
  return newestAnswer(messages, (text) => text);
}

/** Of the newest answer that has code; null: none has. */
export function lastCode(messages: readonly Message[]): string | null {
  return newestAnswer(messages, (text) => codeBlocks(blocksOf(text)).at(-1) ?? "");
}

function newestAnswer(messages: readonly Message[], taken: (text: string) => string): string | null {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.kind !== "response") continue;
    const text = taken(answerText(visibleText(message)));
    if (text !== "") return text;
  }
  return null;
}

/** What is pasted into a shell must not hold control sequences, and our own mark is no part of an answer. */
function answerText(text: string): string {
  return stripTerminalControls(text.startsWith(INTERRUPTED) ? text.slice(INTERRUPTED.length) : text).trim();
}

/** Long code is cut into pieces for the screen; here it is whole again. */
function codeBlocks(blocks: readonly Block[]): readonly string[] {
  const pieces: CodeBlock[][] = [];
  for (const block of blocks) {
    if (block.type !== "code") continue;
    if (block.opens) pieces.push([block]);
    else pieces.at(-1)?.push(block);
  }
  return pieces.map((each) => each.map(({ text }) => text).join("\n")).filter((text) => text.trim() !== "");
}
