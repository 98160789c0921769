// The commands that report something: /cost, /doctor, /export, /debug.

import { basename } from "node:path";
import { plural } from "../../base/numbers.ts";
import { describeCost } from "../../domain/usage.ts";
import { exportMarkdown } from "../export-markdown.ts";
import type { SlashCommand } from "./command.ts";

export const costCommand: SlashCommand = {
  name: "cost",
  description: "what this conversation has used",
  run: (_args, { session, show }) => {
    const usage = session.agent().usage();
    const { promptTokens, completionTokens, cachedTokens } = usage;
    const count = (value: number) => value.toLocaleString("en-US");
    show({
      title: "Used so far",
      rows: [
        ["Cost", describeCost(usage)],
        ["Sent", `${count(promptTokens)} tokens, ${count(cachedTokens)} of them from the cache`],
        ["Written", plural(completionTokens, "token")],
      ],
    });
  },
};

export const doctorCommand: SlashCommand = {
  name: "doctor",
  description: "check the machine and the set-up",
  run: async (_args, { ports, show }) => show({ title: "Doctor", rows: await ports.doctor() }),
};

export const exportCommand: SlashCommand = {
  name: "export",
  description: "write the conversation to a Markdown file (/export NAME)",
  run: async (args, { ports, session, say }) => {
    const status = session.status();
    const text = exportMarkdown(session.agent().shown(), status);
    const name = args || `conversation-${status.sessionId.slice(0, 8)}.md`;
    const path = await ports.exportFile(name, text);
    say(basename(path) === basename(name) ? `Written to ${path}` : `${name} exists. Written to ${path}`);
  },
};

export const debugCommand: SlashCommand = {
  name: "debug",
  description: "write a detailed log (/debug off ends it)",
  argument: ["on", "off"],
  run: (args, { ports, say }) => say(ports.debug.set(args !== "off")),
};
