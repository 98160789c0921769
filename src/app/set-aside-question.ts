// Asks the person about what a command made and other programs obey. It was moved out of the project, and comes back
// only with their yes.
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { relative } from "node:path";
import { UserAbortError } from "../domain/error.ts";
import type { PermissionQuestion } from "../domain/permission.ts";
import type { SetAside } from "../permission/sandboxed-command.ts";
import { putBack, stateOf } from "../permission/set-aside.ts";
import type { Person } from "./settings.ts";

const MOST_NAMED = 10;
/** A folder of ours with the longest name that a file can have fits. */
const LONGEST_NAME = 400;
const MOST_SHOWN_BYTES = 4_000;
const MOST_LINES = 200;
/** Folders in folders of which the content is shown. */
const DEEPEST = 2;

interface SetAsidePorts {
  /** null if nobody is there. */
  readonly ask: Person["askPermission"] | null;
  /** Gets a sentence for the person where no question and no answer of the model may tell them. */
  readonly notify: (text: string) => void;
}

/** Returns what the model is told. Throws if the person ends the request. */
export async function askAboutSetAside(
  made: readonly SetAside[],
  { toolName, args, command }: Pick<PermissionQuestion, "toolName" | "args" | "command">,
  { ask, notify }: SetAsidePorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (made.length === 0) return [];
  const from = command?.folder ?? "/";
  const names = namesOf(made.map(({ path }) => relative(from, path) || path));
  const aside = `The command made ${names}, which other programs obey, so it was moved out of the project`;
  const where = `It is kept in ${namesOf(made.map(({ keptIn }) => keptIn))}.`;
  if (ask === null || signal.aborted) {
    notify(`${aside}. ${where}`);
    return [`[${aside}. Nobody could be asked about it. ${where}]`];
  }
  // In this order, so that what is shown is not older.
  const states = await Promise.all(made.map(({ keptIn }) => stateOf(keptIn)));
  const answer = await ask(await questionAbout(made, names, { toolName, args }), signal);
  if (answer.type === "stop") {
    notify(`${aside}. ${where}`);
    throw new UserAbortError();
  }
  if (answer.type !== "once") {
    const words = answer.type === "deny" ? (answer.words?.trim() ?? "") : "";
    const said = words === "" ? "" : ` They said: ${words}`;
    return [`[${aside}, and the person wants it to stay out. ${where}${said}]`];
  }
  const problems: string[] = [];
  for (const [index, each] of made.entries()) {
    const problem = await putBack(each, states[index] ?? "");
    if (problem !== null)
      problems.push(`${each.path} could not be put back: ${problem}. It is in ${each.keptIn}.`);
  }
  return [
    `[${aside}, and put back with the person's yes.${problems.map((problem) => ` ${problem}`).join("")}]`,
  ];
}

async function questionAbout(
  made: readonly SetAside[],
  names: string,
  { toolName, args }: Pick<PermissionQuestion, "toolName" | "args">,
): Promise<PermissionQuestion> {
  const it = made.length === 1 ? "it" : "them";
  const unread = ({ path }: SetAside) => [`[${namesOf([path])} can't be read]`];
  const lines = await Promise.all(
    made.slice(0, MOST_NAMED).map((each) => shownLines(each, DEEPEST).catch(() => unread(each))),
  );
  return {
    toolName,
    args,
    title: "It made something that other programs obey. Keep it?",
    label: { verb: "Put into the project:", subject: names },
    preview: { type: "diff", diff: cutLines(lines.flat()).join("\n"), numbered: false },
    decision: {
      decision: "ask",
      reason: `Editors, shells or other programs would obey ${it}. Until you say yes, nothing sees ${it}.`,
    },
    yes: `put ${it} into the project`,
    offers: [],
  };
}

function cutLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `[${more} more lines]`] : lines;
}

/** Never opens anything but a plain file. */
async function shownLines({ path: whole, keptIn }: SetAside, depth: number): Promise<readonly string[]> {
  const path = namesOf([whole]);
  const added = (text: string) => text.split("\n").map((line) => `+${line}`);
  const stat = await lstat(keptIn).catch(() => null);
  if (stat === null) return [`[${path} is gone]`];
  if (stat.isSymbolicLink()) return [`[${path} is a symlink to ${namesOf([await readlink(keptIn)])}]`];
  if (stat.isDirectory()) {
    const names = (await readdir(keptIn)).sort();
    if (depth === 0) return [`[${path} is a folder with ${names.length} files and folders]`];
    const more = names.length > MOST_NAMED ? [`[${names.length - MOST_NAMED} more]`] : [];
    const inside = names
      .slice(0, MOST_NAMED)
      .map((name) => ({ path: `${whole}/${name}`, keptIn: `${keptIn}/${name}` }));
    const files = await Promise.all(inside.map((each) => shownLines(each, depth - 1)));
    return [`[${path} is a folder]`, ...files.flat(), ...more];
  }
  if (!stat.isFile()) return [`[${path} is neither a file nor a folder]`];
  const cut = stat.size > MOST_SHOWN_BYTES ? [`[${stat.size - MOST_SHOWN_BYTES} more bytes]`] : [];
  return [`[${path}]`, ...added(await beginningOf(keptIn)), ...cut];
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MOST_SHOWN_BYTES), 0, MOST_SHOWN_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead).replace(/\n$/, "");
  } finally {
    await file.close();
  }
}

/** The command chose the names, so a control character in one is shown by its number. */
function namesOf(paths: readonly string[]): string {
  const byNumber = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  const half = LONGEST_NAME / 2;
  const short = (path: string) =>
    path.length > LONGEST_NAME ? `${path.slice(0, half)}[...]${path.slice(-half)}` : path;
  const named = paths.slice(0, MOST_NAMED).map(short).join(", ").replace(/\p{C}/gu, byNumber);
  return paths.length > MOST_NAMED ? `${named} and ${paths.length - MOST_NAMED} more` : named;
}
