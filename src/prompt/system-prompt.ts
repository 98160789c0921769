// The system prompt: our own instructions, the project's, and the environment. It is sent with every model call and
// never persisted.
import type { ContextFile } from "./context-files.ts";
import instructions from "./system-prompt.md" with { type: "text" };

export interface PromptEnvironment {
  readonly root: string;
  readonly cwd: string;
  /** Further folders that are part of the project. */
  readonly addedFolders: readonly string[];
  readonly platform: string;
  readonly isGitRepository: boolean;
  /** YYYY-MM-DD. It stays the same for a session, and has no time of day, because vendors cache a prompt's prefix. */
  readonly date: string;
}

export function systemPrompt(files: readonly ContextFile[], environment: PromptEnvironment): string {
  return [instructions.trim(), environmentSection(environment), ...files.map(fileSection)].join("\n\n");
}

/** The instructions of these files alone, for an agent with a prompt of its own. */
export function fileInstructions(files: readonly ContextFile[]): string {
  return files.map(fileSection).join("\n\n");
}

function environmentSection(environment: PromptEnvironment): string {
  const { root, cwd, addedFolders, platform, isGitRepository, date } = environment;
  return [
    "Environment",
    `- Project folder: ${root}${isGitRepository ? " (git)" : ""}`,
    ...(cwd === root ? [] : [`- Working directory: ${cwd}`]),
    ...addedFolders.map((folder) => `- Also part of the project: ${folder}`),
    `- Platform: ${platform}`,
    `- Date: ${date}`,
  ].join("\n");
}

function fileSection({ path, text, cutAt }: ContextFile): string {
  const cut = cutAt === null ? "" : `\n[cut at ${cutAt} characters; read ${path} for the rest]`;
  return `Instructions from ${path}:\n\n${text}${cut}`;
}
