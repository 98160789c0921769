// The terminal's own commands beside those of the conversation, and the way of a line to either.
import { errorMessage } from "../../domain/error.ts";
import { copyCommand } from "./copy.ts";
import { KEYS_PANEL } from "./keys-panel.ts";
import type { LocalCommand, LocalContext } from "./local-command.ts";
import { themeCommand } from "./theme.ts";

const clearCommand: LocalCommand = {
  name: "clear",
  description: "begin a new conversation on an empty screen",
  run: (_args, { front, store, clearScreen }) => {
    const { request, model } = store.get();
    // While a request runs no other session is opened, which is told.
    if (request === null) clearScreen();
    front.send({ type: "open", session: { type: "new" }, ...(model.name !== "" && { model: model.name }) });
  },
};

const exitCommand: LocalCommand = {
  name: "exit",
  description: "leave (so does Ctrl-C twice, and Ctrl-D)",
  run: (_args, { leave }) => leave(),
};

const LOCAL_COMMANDS: readonly LocalCommand[] = [clearCommand, themeCommand, copyCommand, exitCommand];

export type Submit = (line: string, later?: boolean) => void;

export function lineSubmitter(context: LocalContext): Submit {
  const { front, store } = context;
  front.send({ type: "offer", commands: LOCAL_COMMANDS.map(({ run: _run, ...hint }) => hint) });
  return (line, later = false) => {
    const text = line.trim();
    const [, name, args = ""] = /^\/([a-zA-Z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
    // The keys are the terminal's own; the commands follow from the other end.
    if (name === "help") store.add({ kind: "panel", panel: KEYS_PANEL });
    const local = LOCAL_COMMANDS.find((command) => command.name === name);
    if (local === undefined) return front.send({ type: "say", text, later });
    front.send({ type: "remember", text });
    // A command that fails is told, and the conversation goes on.
    Promise.try(() => local.run(args, context)).catch((error) => store.note(errorMessage(error), "error"));
  };
}
