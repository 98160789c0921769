// What a shell command would do: its simple commands, the files it reads and writes, and the parts whose effect isn't
// known before it runs. If it only reads and can be rebuilt, that is what is judged and what runs.
import { isStream, realPath } from "../base/real-path.ts";
import { type Act, type Acts, absolute, type PathAct, type ShellDemand } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { gitExclusion, mayShowContents } from "./git-exclusion.ts";
import { strangeness } from "./git-places.ts";
import { type GitSafety, guardGit } from "./git-repository.ts";
import { projectFolders } from "./project-path.ts";
import { readOnly } from "./read-only.ts";
import { mayDoMore, type PathUse } from "./read-only-answer.ts";
import { type Rebuilt, rebuild } from "./rebuild.ts";
import type { RebuildGround } from "./rebuild-state.ts";
import type { Access } from "./rules.ts";
import { readShell } from "./shell.ts";
import { isHarmlessVariable, type RedirectUse, type ShellCommand, settingVariable } from "./shell-command.ts";

export function shellActs(demand: ShellDemand, toolName: string, context: PermissionContext): Acts {
  const { command, folder, env } = demand;
  const acts: Act[] = [];
  for (const [name, value] of Object.entries(env))
    if (!isHarmlessVariable(name, value))
      acts.push({ type: "doubt", ...settingVariable(name), tool: toolName });
  const rebuilt = context.mode === "yolo" ? null : rebuild(command, folder, groundOf(context));
  const found =
    rebuilt?.ok === true ? rebuiltActs(rebuilt, toolName) : writtenActs(demand, toolName, context);
  const why = rebuilt?.ok === false ? rebuilt.why : null;
  acts.push(...(why === null ? found.acts : notUnasked(found.acts, why, toolName)));
  return { ...found, acts };
}

function groundOf(context: PermissionContext): RebuildGround {
  const { home, disk, environment, spend } = context;
  const known = new Map<string, GitSafety>();
  const safetyOf = (folder: string): GitSafety => {
    const safety = guardGit(disk.gitConfiguration(folder));
    if (!safety.safe) return safety;
    const why = strangeness(disk.gitPlaces(folder), projectFolders(context), disk);
    return why === null ? safety : { safe: false, why };
  };
  const repository = (folder: string) => {
    const real = realPath(folder, disk) ?? folder;
    const safety = known.get(real) ?? safetyOf(real);
    known.set(real, safety);
    return safety;
  };
  const { LC_ALL, LC_COLLATE, LANG } = environment;
  const locale = /^([a-z]{2,3})_([A-Z]{2})\b/.exec(LC_ALL || LC_COLLATE || LANG || "");
  return {
    roots: projectFolders(context),
    home,
    disk,
    spend,
    repository,
    exclusion: (folder) => gitExclusion(folder, context),
    ...(locale && { locale: `${locale[1]}-${locale[2]}` }),
  };
}

function rebuiltActs({ script, commands }: Extract<Rebuilt, { ok: true }>, tool: string): Acts {
  const acts = commands.flatMap(({ text, words, uses, place, answer }): readonly Act[] => {
    const folders = new Set([place.written, place.path]);
    const command: Act[] =
      answer === null
        ? []
        : [{ type: "command", tool, text, words, plain: true, input: "", folders, answer }];
    return [...command, ...pathActs(answer?.uses ?? [], uses, folders, tool)];
  });
  const shown = commands.filter(({ words }) => words.length > 0).map(({ text }) => text);
  const calls = commands.flatMap(({ words }) =>
    words[0] === "git" ? [words.filter((word) => word !== null)] : [],
  );
  // What shows contents may show those of a secret.
  const lists = calls.length > 0 && !calls.some(mayShowContents);
  return { acts, commands: [...new Set(shown)], rebuilt: script, ...(lists && { lists: true }) };
}

/** The text itself would run, so what was overlooked in it may happen. */
function writtenActs({ command, folder }: ShellDemand, tool: string, context: PermissionContext): Acts {
  const { home, disk, spend } = context;
  // It runs in the real folder, but rules may name the folder as it was written.
  const folders = new Set([folder, realPath(folder, disk) ?? folder]);
  const reading = readShell(command, { home, disk, spend, folders });
  const doubts: Act[] = reading.doubts.map((each) => ({ type: "doubt", ...each, tool }));
  const acts = reading.commands.flatMap((each) => commandActs(each, tool, context));
  const shown = reading.commands.filter((each) => each.words.length > 0).map((each) => each.text);
  return { acts: [...doubts, ...acts], commands: shown };
}

/** If nothing else needs a permission, the commands themselves do: they can't run as they were understood. */
function notUnasked(acts: readonly Act[], why: string, tool: string): readonly Act[] {
  if (acts.some((act) => act.type === "doubt" || (act.type === "command" && !act.answer.harmless)))
    return acts;
  const answer = mayDoMore(why);
  if (acts.some((act) => act.type === "command"))
    return acts.map((act) => (act.type === "command" ? { ...act, answer } : act));
  return [
    ...acts,
    { type: "command", tool, text: "", words: [], plain: true, input: "", folders: new Set(), answer },
  ];
}

function commandActs(command: ShellCommand, tool: string, context: PermissionContext): readonly Act[] {
  const { text, words, plain, input, folders, redirects } = command;
  const { disk, mode } = context;
  const repository = () => (mode === "yolo" ? UNGUARDED : AS_CONFIGURED);
  // It runs as it was written, so nothing is excluded.
  const exclusion = (folder: string) => (gitExclusion(folder, context)?.length === 0 ? [] : null);
  const looked = readOnly(command, { roots: projectFolders(context), disk, repository, exclusion });
  const written = redirects.find(({ access, target }) => access === "write" && !isStream(target));
  const answer =
    words.length === 0 && !plain
      ? mayDoMore("it depends on a variable that may hold a secret")
      : written === undefined || !looked.harmless
        ? looked
        : mayDoMore(`it writes to ${written.target ?? "a file"}`);
  const acts: Act[] = [];
  if (words.length > 0 || !answer.harmless)
    acts.push({ type: "command", tool, text, words, plain, input, folders, answer });
  return [...acts, ...pathActs(looked.uses ?? [], redirects, folders, tool)];
}

const AS_CONFIGURED: GitSafety = { safe: false, why: "git would follow this repository's configuration" };
const UNGUARDED: GitSafety = {
  safe: true,
  guard: { variables: {}, diffPrograms: false, submodules: false },
};

function pathActs(
  uses: readonly PathUse[],
  redirects: readonly RedirectUse[],
  folders: ReadonlySet<string>,
  tool: string,
): readonly Act[] {
  const acts: Act[] = [];
  for (const folder of folders) {
    for (const { path, ...use } of uses) acts.push(shellPath("read", absolute(path, folder), use));
    for (const { access, target } of redirects) {
      if (target === null) acts.push({ type: "doubt", why: "it redirects to a file that isn't known", tool });
      else acts.push(shellPath(access, absolute(target, folder), { extent: "file" }));
    }
  }
  return acts;
}

function shellPath(access: Access, path: string, use: Omit<PathUse, "path">): PathAct {
  return { type: "path", access, tool: null, path, ...use };
}
