// A prompt as the model gets it: the person's words, the files and images they name, and the output of commands
// they ran.
import type { Content, ContentItem } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";

export type Attach = (path: string) => Promise<ContentItem | null>;

interface Surroundings {
  /** Files that were named elsewhere than in the prompt. */
  readonly attached?: readonly AttachedFile[];
  /** The part of the prompt in which files are looked for, if it isn't all the person's own. */
  readonly own?: string;
}

export interface AttachedFile {
  readonly path: string;
  readonly item: ContentItem;
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
  attach: Attach,
  { attached = [], own = text }: Surroundings = {},
): Promise<PreparedPrompt> {
  const items = attached.map(({ item }) => item);
  const attachments = attached.map(({ path }) => path);
  const problems: string[] = [];
  for (const path of namedPaths(own)) {
    try {
      const item = await attach(path);
      // A word with an @ that is no file (a decorator, a handle) is just a word.
      if (item === null) continue;
      items.push(item);
      attachments.push(path);
    } catch (error) {
      // A file that can't be sent must not keep the person's words from being sent. The model is told, too: it may be
      // able to read a part of the file.
      const problem = `${path} was not attached: ${errorMessage(error)}`;
      problems.push(problem);
      items.push({ type: "text", text: `[${problem}]` });
    }
  }
  return { content: withItems(text, items), attachments, problems };
}

export function withOutputs(content: Content, outputs: readonly string[]): Content {
  return withItems(
    content,
    outputs.map((text) => ({ type: "text", text })),
  );
}

/** The words stay the first item, which is what titles and transcripts show. */
function withItems(content: Content, items: readonly ContentItem[]): Content {
  if (items.length === 0) return content;
  return [...(typeof content === "string" ? [{ type: "text" as const, text: content }] : content), ...items];
}

function namedPaths(text: string): string[] {
  // The end of a sentence isn't part of a path.
  const mentions = [...text.matchAll(MENTION)].map(
    ([, quoted, bare = ""]) => quoted ?? bare.replace(/[.,;:!?)\]]+$/, ""),
  );
  const images = [...text.matchAll(IMAGE_PATH)]
    .map(([, double, single, bare = ""]) => double ?? single ?? bare.replaceAll("\\ ", " "))
    .filter((path) => IMAGE_ENDING.test(path) && path.includes("/"));
  return [...new Set([...mentions, ...images])].filter((path) => path !== "");
}
