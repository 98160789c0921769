// A prompt as the model gets it: the person's words, the files and images they name, and the output of commands
// they ran.
import type { Content, ContentItem } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";

export type Attach = (path: string) => Promise<ContentItem | null>;

/** What the model reads around the person's words: output of their commands, a remark on the mode. */
export interface Surroundings {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface PreparedPrompt {
  readonly content: Content;
  /** Names of what was attached. */
  readonly attachments: readonly string[];
  readonly problems: readonly string[];
}

/** `@path` and `@"path with spaces"` at the start of a word. */
const MENTION = /(?<=^|[\s(])@(?:"([^"]+)"|([^\s"]+))/g;
/** A dropped or pasted image arrives as its path, quoted or with escaped spaces. */
const IMAGE_PATH = /(?<=^|\s)(?:"([^"]+)"|'([^']+)'|((?:\\ |[^\s"'@])+))(?=\s|$)/g;
const IMAGE_ENDING = /\.(?:png|jpe?g|gif|webp)$/i;

export async function preparePrompt(
  text: string,
  { before, after }: Surroundings,
  attach: Attach,
): Promise<PreparedPrompt> {
  const items: ContentItem[] = [];
  const attachments: string[] = [];
  const problems: string[] = [];
  for (const path of namedPaths(text)) {
    const attached = await tryAttach(path, attach);
    if (attached.problem !== null) problems.push(attached.problem);
    if (attached.item === null) continue;
    items.push(attached.item);
    attachments.push(path);
  }
  const words = [...before, text, ...after].join("\n\n");
  const content: Content = items.length === 0 ? words : [{ type: "text", text: words }, ...items];
  return { content, attachments, problems };
}

/** What the model reads of a command the person ran. */
export function shellOutputText(command: string, output: string, exitCode: number | null): string {
  const end = exitCode === null ? "stopped" : `exit code ${exitCode}`;
  return `I ran this command myself (${end}):\n$ ${command}\n${output.trimEnd()}`;
}

function namedPaths(text: string): string[] {
  // The end of a sentence isn't part of a path.
  const mentions = [...text.matchAll(MENTION)].map(
    ([, quoted, bare]) => quoted ?? trimPunctuation(bare ?? ""),
  );
  const images = [...text.matchAll(IMAGE_PATH)]
    .map(([, double, single, bare]) => double ?? single ?? (bare ?? "").replaceAll("\\ ", " "))
    .filter((path) => IMAGE_ENDING.test(path) && path.includes("/"));
  return [...new Set([...mentions, ...images])].filter((path) => path !== "");
}

function trimPunctuation(path: string): string {
  return path.replace(/[.,;:!?)\]]+$/, "");
}

async function tryAttach(
  path: string,
  attach: Attach,
): Promise<{ item: ContentItem | null; problem: string | null }> {
  try {
    // A word with an @ that is no file (a decorator, a handle) is just a word.
    return { item: await attach(path), problem: null };
  } catch (error) {
    // A file that can't be read shouldn't keep the person's words from being sent.
    return { item: null, problem: `${path} was not attached: ${errorMessage(error)}` };
  }
}
