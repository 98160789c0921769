// /add-dir: makes a further folder part of the project, or lists those that are.
import type { SlashCommand } from "./command.ts";

export const addDirCommand: SlashCommand = {
  name: "add-dir",
  description: "make a further folder part of the project (/add-dir DIR)",
  typedOnly: true,
  run: (args, { session, say }) => {
    const { folders } = session.agent();
    const added = folders.list();
    if (args === "")
      return say(
        added.length === 0
          ? "No folder is added. This adds one: /add-dir DIR"
          : `Part of the project, too: ${added.join(", ")}`,
      );
    const folder = folders.add(args);
    session.remark(`The person made ${folder} part of the project.`);
    say(
      `${folder} is part of the project in this session. Its own instructions and configuration are not read.`,
    );
  },
};
