// The terminal's own commands; every other line goes to the conversation.
import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../domain/error.ts";
import type { Panel, SayOptions } from "../../front/contract.ts";
import { copyCommand } from "./copy.ts";
import type { LocalCommand, LocalContext } from "./local-command.ts";
import { themeCommand } from "./theme.ts";

const clearCommand: LocalCommand = {
  name: "clear",
  description: "begin a new conversation on an empty screen",
  run: (_args, { front, store, clearScreen }) => {
    const { request, model } = store.get();
    // While a request runs, the desk refuses to open another session.
    if (request === null) clearScreen();
    front.send({ type: "open", session: { type: "new" }, ...defined({ model: model.name || undefined }) });
  },
};

const exitCommand: LocalCommand = {
  name: "exit",
  description: "leave (so does Ctrl-C twice, and Ctrl-D)",
  run: (_args, { leave }) => leave(),
};

const LOCAL_COMMANDS: readonly LocalCommand[] = [clearCommand, themeCommand, copyCommand, exitCommand];

const KEYS_PANEL: Panel = {
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

export type Submit = (line: string, options?: SayOptions) => void;

export function lineSubmitter(context: LocalContext): Submit {
  const { front, store } = context;
  front.send({ type: "offer", commands: LOCAL_COMMANDS.map(({ run: _run, ...hint }) => hint) });
  return (line, options = {}) => {
    const text = line.trim();
    const [, name, args = ""] = /^\/([a-zA-Z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
    // The keys belong to the terminal; the desk lists the commands.
    if (name === "help") store.add({ kind: "panel", panel: KEYS_PANEL });
    const local = LOCAL_COMMANDS.find((command) => command.name === name);
    if (local === undefined) return front.send({ type: "say", text, ...options });
    front.send({ type: "remember", text });
    // A failure is told, and the conversation goes on.
    Promise.try(() => local.run(args, context)).catch((error) => store.note(errorMessage(error), "error"));
  };
}
