// The commands that change which conversation is open: /resume, /new, /fork, /rename, /clear, /compact, /exit.
import { formatAge } from "../view/numbers.ts";
import type { Command, CommandContext } from "./command.ts";

export const resumeCommand: Command = {
  name: "resume",
  description: "go on with an earlier conversation",
  run: async (args, context) => {
    const id = args === "" ? await pickSession(context) : args;
    if (id !== null) await whenIdle(context, () => context.openSession({ type: "resume", id }));
  },
};

export const newCommand: Command = {
  name: "new",
  description: "begin a new conversation",
  run: (_args, context) => whenIdle(context, () => openNew(context)),
};

export const clearCommand: Command = {
  name: "clear",
  description: "begin a new conversation on an empty screen",
  run: (_args, context) =>
    whenIdle(context, async () => {
      await openNew(context);
      context.clearScreen();
    }),
};

export const forkCommand: Command = {
  name: "fork",
  description: "go on in a copy of this conversation",
  run: (_args, context) =>
    whenIdle(context, () => context.openSession({ type: "fork", id: context.agent().session.id })),
};

export const renameCommand: Command = {
  name: "rename",
  description: "give this conversation a title",
  run: async (args, { agent, store, say }) => {
    if (args === "") return say("Say the title too: /rename TITLE", "warning");
    await agent().rename(args);
    store.change({ session: { ...store.get().session, title: args } });
    say(`The title is now "${args}".`);
  },
};

export const compactCommand: Command = {
  name: "compact",
  description: "sum up the older part of the conversation now",
  run: (_args, context) =>
    whenIdle(context, () => context.queue.run("Summing up", (signal) => context.agent().compact(signal))),
};

export const exitCommand: Command = {
  name: "exit",
  description: "leave (so does Ctrl-C twice, and Ctrl-D)",
  run: (_args, { leave }) => leave(),
};

async function openNew({ openSession, store }: CommandContext): Promise<void> {
  const { name } = store.get().model;
  await openSession({ type: "new", ...(name === "" ? {} : { model: name }) });
}

/** A session is never changed under a request that runs. */
async function whenIdle(context: CommandContext, work: () => Promise<void>): Promise<void> {
  if (!context.queue.isRunning) return work();
  context.say("A request is running. Stop it first (Esc).", "warning");
}

async function pickSession({ ports, pick, say, agent }: CommandContext): Promise<string | null> {
  const present = agent().session.id;
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
  return pick("Resume", items, { preview: ports.previewSession });
}
