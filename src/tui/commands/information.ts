// The commands that tell something: /help, /cost, /doctor, /export, /debug.
import { exportMarkdown } from "../export-markdown.ts";
import { formatCost, plural } from "../view/numbers.ts";
import type { Command } from "./command.ts";

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
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
];

export const helpCommand: Command = {
  name: "help",
  description: "keys and commands",
  run: (_args, { commands, say }) => {
    const rows = [...KEYS, ...commands().map(({ name, description }) => [`/${name}`, description] as const)];
    const column = Math.max(...rows.map(([keys]) => keys.length));
    say(rows.map(([keys, meaning]) => `${keys.padEnd(column)}  ${meaning}`).join("\n"));
  },
};

export const costCommand: Command = {
  name: "cost",
  description: "what this conversation has used",
  run: (_args, { store, say }) => {
    const { promptTokens, completionTokens, cachedTokens, cost } = store.get().usage;
    const count = (value: number) => value.toLocaleString("en-US");
    say(
      [
        `Cost    ${formatCost(cost)}`,
        `Sent    ${count(promptTokens)} tokens, ${count(cachedTokens)} of them from the cache`,
        `Written ${plural(completionTokens, "token")}`,
      ].join("\n"),
    );
  },
};

export const doctorCommand: Command = {
  name: "doctor",
  description: "check the machine and the set-up",
  run: async (_args, { ports, say }) => say(await ports.doctor()),
};

export const exportCommand: Command = {
  name: "export",
  description: "write the conversation to a Markdown file (/export NAME)",
  run: async (args, { ports, agent, store, say }) => {
    const { session, model } = store.get();
    const text = exportMarkdown(agent().messages(), { ...session, model: model.name });
    const path = await ports.exportFile(args || `conversation-${session.id.slice(0, 8)}.md`, text);
    say(`Written to ${path}`);
  },
};

export const debugCommand: Command = {
  name: "debug",
  description: "write a detailed log (/debug off ends it)",
  argument: ["on", "off"],
  run: async (args, { agent, say }) => say(await agent().setDebug(args !== "off")),
};
