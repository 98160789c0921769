// The terminal's own commands; every other line goes to the conversation.
import { defined } from "../../base/defined.ts";
import { errorCode, errorMessage } from "../../domain/error.ts";
import type { Panel, SayOptions } from "../../front/contract.ts";
import type { KeyLabels } from "../input/app-keys.ts";
import { copyCommand } from "./copy.ts";
import { diffCommand } from "./diff.ts";
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
  description: "leave",
  run: (_args, { leave }) => leave(),
};

const LOCAL_COMMANDS: readonly LocalCommand[] = [
  clearCommand,
  diffCommand,
  themeCommand,
  copyCommand,
  exitCommand,
];

/** The keys as the person has bound them. */
function keysPanel(keys: KeyLabels): Panel {
  const rows: readonly (readonly [keys: readonly string[], effect: string])[] = [
    [keys.send, "send; while it runs: deliver with the next tool results"],
    [keys.queue, "while it runs: send afterwards"],
    [keys.takeBack, "take the last waiting prompt back"],
    [keys.newLine, "new line (also \\ before Enter)"],
    [keys.stop, "stop; everything is kept"],
    [keys.stop.slice(0, 1).map((key) => `${key} ${key}`), "on an empty line: go back to an earlier prompt"],
    [keys.clear, "clear the line; twice: leave"],
    [keys.leave, "leave, if the line is empty"],
    [keys.unfold, "the whole conversation, nothing folded"],
    [keys.nextMode, "next permission mode"],
    [["Up", "Down"], "earlier prompts"],
    [keys.searchHistory, "search earlier prompts"],
    [keys.externalEditor, "write in your own editor"],
    [keys.pasteImage, "paste an image"],
    [["@path"], "hand a file or an image to the model"],
    [["!command", "!!command"], "run it yourself; !! keeps the output from the model"],
  ];
  const bound = rows.filter(([names]) => names.length > 0);
  return { title: "Keys", rows: bound.map(([names, effect]) => [names.join(", "), effect]) };
}

export type Submit = (line: string, options?: SayOptions) => void;

export function lineSubmitter(context: LocalContext): Submit {
  const { front, store } = context;
  front.send({ type: "offer", commands: LOCAL_COMMANDS.map(({ run: _run, ...hint }) => hint) });
  return (line, options = {}) => {
    const text = line.trim();
    const [, name, args = ""] = /^\/([a-zA-Z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
    // The keys belong to the terminal; the desk lists the commands.
    if (name === "help") store.add({ kind: "panel", panel: keysPanel(store.get().keys) });
    const local = LOCAL_COMMANDS.find((command) => command.name === name);
    if (local === undefined) return front.send({ type: "say", text, ...options });
    front.send({ type: "remember", text });
    // A failure is told, and the conversation goes on.
    Promise.try(() => local.run(args, context)).catch((error) =>
      store.note(errorMessage(error), errorCode(error) === "usage" ? "warning" : "error"),
    );
  };
}
