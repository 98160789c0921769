// Finds worktrees of any project that are no longer whole: the folder is gone, or git doesn't know it or its branch.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import { plural } from "../base/numbers.ts";
import type { Environment } from "../base/xdg.ts";
import { worktreesFolder } from "../session/paths.ts";
import { mainTreeOf } from "../session/project.ts";
import { openGit } from "./git.ts";
import type { MachineCheck } from "./machine-checks.ts";
import { branchOf, isWorktreeName } from "./worktree-place.ts";
import { commitOf } from "./worktree-state.ts";

const MOST_MS = 10_000;

/** One line for each that isn't whole, and one for the others, if there are any. */
export async function* checkWorktrees(env: Environment): AsyncGenerator<MachineCheck> {
  const signal = AbortSignal.timeout(MOST_MS);
  const folder = worktreesFolder(env);
  let whole = 0;
  for (const project of await namesIn(folder)) {
    const names = (await namesIn(join(folder, project))).map((name) => name.replace(/\.json$/, ""));
    for (const name of new Set(names.filter(isWorktreeName))) {
      const fault = await faultOf(join(folder, project), name, env, signal);
      if (fault === null) whole++;
      else yield { name: "worktrees", status: "warning", ...fault };
    }
  }
  if (whole > 0)
    yield { name: "worktrees", status: "ok", message: `${plural(whole, "worktree")} in ${folder}` };
}

async function faultOf(
  folder: string,
  name: string,
  env: Environment,
  signal: AbortSignal,
): Promise<Required<Pick<MachineCheck, "message" | "remedy">> | null> {
  const path = join(folder, name);
  if (!existsSync(path)) {
    const note = join(folder, `${name}.json`);
    const parsed = parseJson(await readFile(note, "utf8").catch(() => ""));
    const { from, ready } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
    // It is just being made.
    if (ready === false) return null;
    const where = typeof from === "string" && existsSync(from) ? ` in ${from}` : "";
    const again = where === "" ? "" : `To make it again from its branch: tunacode -w ${name}${where}. `;
    return {
      message: `${name}${where}: its folder ${path} is gone.`,
      remedy: `${again}To forget it, delete ${note}`,
    };
  }
  const main = mainTreeOf(path);
  if (main === path)
    return {
      message: `${name}: git no longer knows ${path}.`,
      remedy: "Save what you need from it, then delete it. tunacode worktrees remove NAME does that, too.",
    };
  const isThere = await openGit({ root: path, env, trusted: false, signal }).then(
    async (git) => (await commitOf(git, path, `refs/heads/${branchOf(name)}`)) !== null,
    // Without git nobody can tell.
    () => true,
  );
  if (isThere) return null;
  return {
    message: `${name} in ${main}: its branch ${branchOf(name)} is gone.`,
    remedy: `To make it again from what is in ${path}: git -C ${path} switch -c ${branchOf(name)}`,
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  // Most people have none.
  return await readdir(folder).catch(() => []);
}
