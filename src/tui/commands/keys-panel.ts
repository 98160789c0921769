// The keys of the terminal, for /help.
import type { Panel } from "../../front/contract.ts";

export const KEYS_PANEL: Panel = {
  title: "Keys",
  rows: [
    ["Enter", "send; while it runs: deliver with the next tool results"],
    ["Alt-Enter", "while it runs: send afterwards"],
    ["Alt-Up", "take the last waiting prompt back"],
    ["Shift-Enter, Ctrl-J", "new line (also \\ before Enter)"],
    ["Esc", "stop; everything is kept"],
    ["Ctrl-C", "clear the line; twice: leave"],
    ["Ctrl-O", "the whole conversation, nothing folded"],
    ["Shift-Tab", "next permission mode"],
    ["Up, Down, Ctrl-R", "earlier prompts; search them"],
    ["Ctrl-G", "write in your own editor"],
    ["Ctrl-V", "paste an image"],
    ["@path", "hand a file or an image to the model"],
    ["!command, !!command", "run it yourself; !! keeps the output from the model"],
  ],
};
