// The commands that open, name or shorten a conversation: /resume, /new, /fork, /rename, /compact.
import { formatAge } from "../../base/numbers.ts";
import type { CommandContext, SlashCommand } from "./command.ts";

export const resumeCommand: SlashCommand = {
  name: "resume",
  description: "go on with an earlier conversation",
  run: async (args, context) => {
    const id = args === "" ? await pickSession(context) : args;
    if (id !== null) await context.openSession({ type: "resume", id });
  },
};

export const newCommand: SlashCommand = {
  name: "new",
  description: "begin a new conversation",
  run: (_args, { openSession, session }) =>
    openSession({ type: "new" }, session.agent().model().name || undefined),
};

export const forkCommand: SlashCommand = {
  name: "fork",
  description: "go on in a copy of this conversation",
  run: (_args, { openSession, session }) => openSession({ type: "fork", id: session.agent().session.id }),
};

export const renameCommand: SlashCommand = {
  name: "rename",
  description: "give this conversation a title",
  run: async (args, { session, say }) => {
    if (args === "") return say("Say the title too: /rename TITLE", "warning");
    await session.agent().rename(args);
    session.tellStatus();
    say(`The title is now "${args}".`);
  },
};

export const compactCommand: SlashCommand = {
  name: "compact",
  description: "sum up the older part of the conversation now",
  run: async (_args, { session, queue, say }) => {
    if (queue.isRunning) return say("A request is running. Stop it first.", "warning");
    await queue.run("Summing up", (signal) => session.agent().compact(signal));
  },
};

async function pickSession({ ports, choose, say, session }: CommandContext): Promise<string | null> {
  const present = session.agent().session.id;
  const sessions = (await ports.listSessions()).filter(({ id }) => id !== present);
  if (sessions.length === 0) {
    say("There is no other conversation in this project.");
    return null;
  }
  const now = Date.now();
  const items = sessions.map(({ id, title, lastModified, model }) => ({
    value: id,
    label: title || "(no title)",
    detail: `${formatAge(now - Date.parse(lastModified))} · ${model}`,
  }));
  return choose("Resume", items, { preview: async (id) => ({ text: await ports.previewSession(id) }) });
}
