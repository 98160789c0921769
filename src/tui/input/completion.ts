// What Tab and typing complete: commands after a slash, paths after an @.
import { type AutocompleteItem, type AutocompleteProvider, fuzzyMatch } from "@earendil-works/pi-tui";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { CommandHint } from "../../front/contract.ts";

interface CompletionSources {
  readonly commands: () => readonly CommandHint[];
  readonly files: () => Promise<readonly string[]>;
}

const MAX_ITEMS = 20;
/** Paths are searched in slices of this size, so typing stays smooth in a huge project. */
const SLICE = 5_000;
const MENTION = /(?:^|[\s(])(@(?:"[^"]*|[^\s"]*))$/;

export function createCompletion(sources: CompletionSources): AutocompleteProvider {
  return {
    triggerCharacters: ["@"],
    getSuggestions: async (lines, row, column, { signal }) => {
      const before = (lines[row] ?? "").slice(0, column);
      if (row === 0 && before.startsWith("/")) return completeCommand(before, sources.commands());
      const mention = MENTION.exec(before)?.[1];
      if (mention === undefined) return null;
      const typed = mention.slice(1).replace(/^"/, "");
      const files = await sources.files();
      // Nothing is left to complete, and Enter means send.
      if (files.includes(typed)) return null;
      const paths = await findPaths(files, typed, signal);
      return paths.length === 0 ? null : { items: paths.map(pathItem), prefix: mention };
    },
    applyCompletion: (lines, row, column, item, prefix) => {
      const line = lines[row] ?? "";
      const start = line.slice(0, column - prefix.length);
      const inserted = `${item.value} `;
      const changed = [...lines];
      changed[row] = start + inserted + line.slice(column);
      return { lines: changed, cursorLine: row, cursorCol: start.length + inserted.length };
    },
    shouldTriggerFileCompletion: () => false,
  };
}

function completeCommand(
  before: string,
  commands: readonly CommandHint[],
): { items: AutocompleteItem[]; prefix: string } | null {
  const space = before.indexOf(" ");
  if (space === -1) {
    const typed = before.slice(1);
    const items = ranked(commands, typed, ({ name }) => name).map(({ name, description }) => ({
      value: `/${name}`,
      label: `/${name}`,
      description: stripTerminalControls(description),
    }));
    return items.length === 0 ? null : { items, prefix: before };
  }
  const command = commands.find(({ name }) => name === before.slice(1, space));
  const typed = before.slice(space + 1);
  // Nothing is left to complete, and Enter means send.
  if (command?.argument?.includes(typed)) return null;
  const items = ranked(command?.argument ?? [], typed, (value) => value);
  if (items.length === 0) return null;
  // The editor sends a line whose completion begins with a slash, so a value that was typed in part takes one Enter.
  const start = typed === "" ? "" : before.slice(0, space + 1);
  return { items: items.map((value) => ({ value: start + value, label: value })), prefix: start + typed };
}

function ranked<Item>(items: readonly Item[], typed: string, textOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, match: fuzzyMatch(typed, textOf(item)) }))
    .filter(({ match }) => match.matches)
    .toSorted((one, other) => one.match.score - other.match.score)
    .map(({ item }) => item);
}

/** The best matches; a match in the name of the file ranks above one in its folders. */
async function findPaths(
  paths: readonly string[],
  typed: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (typed === "") return paths.slice(0, SLICE).filter(isTypable).slice(0, MAX_ITEMS);
  let best: { path: string; score: number }[] = [];
  for (let start = 0; start < paths.length; start += SLICE) {
    if (signal.aborted) return [];
    const found = paths.slice(start, start + SLICE).flatMap((path) => {
      const score = pathScore(path, typed);
      return score === null || !isTypable(path) ? [] : [{ path, score }];
    });
    best = [...best, ...found].toSorted((one, other) => one.score - other.score).slice(0, MAX_ITEMS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return best.map(({ path }) => path);
}

/** Nobody could type or read the name of any other. */
function isTypable(path: string): boolean {
  return !/\p{Cc}/u.test(path);
}

function pathScore(path: string, typed: string): number | null {
  const whole = fuzzyMatch(typed, path);
  if (!whole.matches) return null;
  const name = fuzzyMatch(typed, path.slice(path.lastIndexOf("/") + 1));
  return (name.matches ? Math.min(name.score - 50, whole.score) : whole.score) + path.length * 0.05;
}

function pathItem(path: string): AutocompleteItem {
  const value = /[\s"]/.test(path) ? `@"${path}"` : `@${path}`;
  return { value, label: path };
}
