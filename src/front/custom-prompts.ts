// Custom commands as the prompts they stand for, for the app and for `tunacode run`.
import {
  expandCommand,
  loadCustomCommands,
  splitCommand,
  untrustedCommand,
} from "../config/custom-commands.ts";
import type { ProjectLocation } from "../config/paths.ts";

export interface CustomPrompt {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** Throws if the command belongs to a project and isn't trusted, or if its file can't be used. */
  readonly expand: (words: string) => string;
}

export async function customPrompts(
  place: ProjectLocation,
  trusted: boolean,
): Promise<readonly CustomPrompt[]> {
  const { commands, withheld } = await loadCustomCommands(place, trusted);
  const usable = commands.map((command) => ({
    ...command,
    expand: (words: string) => expandCommand(command, words),
  }));
  const refused = withheld
    .filter(({ name }) => !commands.some((command) => command.name === name))
    .map(({ name }) => ({
      name,
      description: "of this project, not trusted as it is now",
      expand: () => {
        throw untrustedCommand(name);
      },
    }));
  return [...usable, ...refused];
}

/** Any other text that begins with a slash is an ordinary prompt. */
export async function expandPrompt(
  prompt: string,
  place: ProjectLocation,
  trusted: boolean,
): Promise<string> {
  const asked = splitCommand(prompt);
  if (asked === undefined) return prompt;
  const known = (await customPrompts(place, trusted)).find(({ name }) => name === asked.name);
  return known === undefined ? prompt : known.expand(asked.words);
}
