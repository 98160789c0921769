// /copy: the last answer, or the code in it, into the clipboard.
import { plural } from "../../base/numbers.ts";
import { lastAnswer, lastCode } from "../copied-text.ts";
import { MOST_COPIED_BYTES } from "../screen/clipboard.ts";
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
    const text = (args === "code" ? lastCode : lastAnswer)(await front.lookups.messages());
    const what = args === "code" ? "last code" : "last answer";
    if (text === null)
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
