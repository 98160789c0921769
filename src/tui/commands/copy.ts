// /copy puts the last answer, or the last code in an answer, into the clipboard.
import { plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { INTERRUPTED, type Message, visibleText } from "../../domain/message.ts";
import { MOST_COPIED_BYTES } from "../screen/clipboard.ts";
import { blocksOf } from "../state/answer-blocks.ts";
import type { LocalCommand } from "./local-command.ts";

export const copyCommand: LocalCommand = {
  name: "copy",
  description: "copy the last answer (/copy code: only its last code)",
  argument: ["code"],
  run: async (args, { front, copy, store: { note: say } }) => {
    if (args !== "" && args !== "code")
      return say("/copy copies the last answer, /copy code its last code.", "warning");
    if (copy === null)
      return say("Only the app on a screen can copy. /export writes the conversation to a file.", "warning");
    const text = newest(await front.lookups.messages(), args === "code" ? lastCode : (answer) => answer);
    const what = args === "code" ? "last code" : "last answer";
    if (text === undefined)
      return say(args === "code" ? "No answer has code to copy." : "There is no answer to copy yet.");
    const bytes = Buffer.byteLength(text);
    if (bytes > MOST_COPIED_BYTES)
      return say(
        `The ${what} has ${plural(bytes, "byte")}, and many terminals take ${MOST_COPIED_BYTES.toLocaleString("en-US")} at most: nothing was copied. /export writes the conversation to a file.`,
        "warning",
      );
    await copy(text);
    say(`Copied the ${what}, ${plural(text.length, "character")}.`);
  },
};

function newest(messages: readonly Message[], taken: (answer: string) => string): string | undefined {
  for (const message of messages.toReversed()) {
    const text = message.kind === "response" ? taken(answerText(visibleText(message))) : "";
    if (text !== "") return text;
  }
  return undefined;
}

/** Text for a shell must have no control sequences, and the mark of an interruption is not part of an answer. */
function answerText(text: string): string {
  return stripTerminalControls(text.startsWith(INTERRUPTED) ? text.slice(INTERRUPTED.length) : text).trim();
}

/** Long code is cut into pieces for the screen; here it is whole again. */
function lastCode(answer: string): string {
  const pieces: string[][] = [];
  for (const block of blocksOf(answer)) {
    if (block.type !== "code") continue;
    if (block.opens) pieces.push([block.text]);
    else pieces.at(-1)?.push(block.text);
  }
  return pieces.map((each) => each.join("\n")).findLast((text) => text.trim() !== "") ?? "";
}
