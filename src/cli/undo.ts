// `tunacode undo` takes back what a turn of a session changed, or says what it would do, did, or can't do.
import { relative, resolve } from "node:path";
import type { SessionUndo } from "../app/open-undo.ts";
import type { BackPlan, BackRequest, BackTarget } from "../app/undo.ts";
import { defined } from "../base/defined.ts";
import type { JsonValue } from "../base/json.ts";
import { errorCode, errorMessage, TunacodeError } from "../domain/error.ts";
import type { RestoreId } from "../domain/ids.ts";
import type { Console } from "./console.ts";
import { EXIT_DONE } from "./exit-code.ts";
import type { FlagName, FlagValues } from "./flags.ts";
import { type Invocation, wantsJson } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";
import { encodeBack, encodeTurns, encodeUncovered } from "./undo-json.ts";
import { backText, type Shown, type ShownConflict, turnsText, uncoveredText } from "./undo-text.ts";

const EXIT_INCOMPLETE = 1;
/** For the first look at a project, which takes a second where it is large. */
const MOST_MS = 60_000;

export async function runUndo({ flags, operands }: Invocation, console: Console): Promise<number> {
  const [id, ...others] = operands;
  if (others.length > 0) throw usage("Only one session at a time.");
  refuseTogether(flags);
  if (flags.uncovered === true) return uncovered(id, flags, console);
  const only = flags.list === true || flags["dry-run"] === true;
  // Loaded lazily, because the terminal app shares this chunk.
  const { undoOfSession } = await import("../app/open-undo.ts");
  const place = await configuredPlace(console, flags.cwd);
  const { cwd, env, loaded } = place;
  const settings = { cwd, env, undo: loaded.config.undo, ...defined({ session: id }), canChange: !only };
  const session = await undoOfSession(settings);
  try {
    for (const notice of session.notices) console.tell(`tunacode: ${notice}`);
    if (flags.list === true) return await list(session, flags, console);
    const shown = await goBack(session, id, flags, place);
    if (wantsJson(flags)) await printJson(encodeBack(session.sessionId, shown), console);
    else if (shown.type === "done") await console.print(backText(shown));
    else console.tell(shown.why);
    return shown.type === "done" && shown.conflicts.length === 0 ? EXIT_DONE : EXIT_INCOMPLETE;
  } finally {
    await session.close();
  }
}

async function list({ sessionId, undo }: SessionUndo, flags: FlagValues, console: Console): Promise<number> {
  const turns = await undo.turns();
  if (wantsJson(flags)) await printJson(encodeTurns(sessionId, turns), console);
  else if (turns.length > 0) await console.print(turnsText(turns));
  else console.tell("The conversation has no prompts.");
  return EXIT_DONE;
}

async function goBack(
  { undo }: SessionUndo,
  id: string | undefined,
  flags: FlagValues,
  place: ConfiguredPlace,
): Promise<Shown> {
  const isDryRun = flags["dry-run"] === true;
  const scope = flags["files-only"] === true ? "files" : "both";
  const request: BackRequest = { target: targetOf(flags), scope };
  let plan: BackPlan;
  try {
    plan = await undo.plan(request);
  } catch (error) {
    // There is nothing to take back, or no such prompt.
    if (errorCode(error) === "usage") return { type: "nothing", why: errorMessage(error) };
    throw error;
  }
  const overwrite = chosen(plan, flags.overwrite ?? [], place);
  const done: BackPlan & { readonly restoreId?: RestoreId } = isDryRun
    ? withoutOverwritten(plan, overwrite)
    : await undo.goBack(request, overwrite);
  const conflicts: ShownConflict[] = [];
  for (const conflict of done.conflicts)
    conflicts.push({ ...conflict, diff: await undo.diff(conflict.change) });
  return { type: "done", ...done, conflicts, request, isDryRun, ...defined({ session: id }) };
}

/** The paths as the plan has them: a person may also write them as seen from their folder. */
function chosen(
  { conflicts }: BackPlan,
  asked: readonly string[],
  { root, typedIn }: ConfiguredPlace,
): readonly string[] {
  return asked.map((path) => {
    const names = [path, resolve(typedIn, path), relative(root, resolve(typedIn, path))];
    const found = conflicts.find(({ change }) => names.includes(change.path));
    if (found === undefined) throw usage(`--overwrite: ${path} is not a conflict.`);
    if (!found.canOverwrite) throw usage(`--overwrite: ${path} can't be put back. ${found.why}`);
    return found.change.path;
  });
}

function withoutOverwritten(plan: BackPlan, overwrite: readonly string[]): BackPlan {
  const isChosen = ({ change }: BackPlan["conflicts"][number]) => overwrite.includes(change.path);
  return {
    ...plan,
    changes: [...plan.changes, ...plan.conflicts.filter(isChosen).map(({ change }) => change)],
    conflicts: plan.conflicts.filter((conflict) => !isChosen(conflict)),
  };
}

function targetOf({ to, redo }: FlagValues): BackTarget {
  if (redo === true) return { type: "redo" };
  return to === undefined ? { type: "last" } : { type: "prompt", number: to };
}

async function uncovered(id: string | undefined, flags: FlagValues, console: Console): Promise<number> {
  if (id !== undefined) throw usage("--uncovered is about the project, not about a session.");
  const { loaded, root, env } = await configuredPlace(console, flags.cwd);
  const { projectCoverage } = await import("../app/project-coverage.ts");
  const { undo } = loaded.config;
  const covered = await projectCoverage({ root, env, undo }, AbortSignal.timeout(MOST_MS));
  if (covered === null) throw new TunacodeError("usage", "Undo is switched off: see settings.undo.enabled.");
  const found = covered.list();
  if (wantsJson(flags)) await printJson(encodeUncovered(found), console);
  else if (found.length > 0) await console.print(uncoveredText(found));
  else console.tell("Undo covers every file of this project.");
  return EXIT_DONE;
}

/** Each of these is something else to do. */
const WAYS = ["list", "uncovered", "redo", "to"] as const satisfies readonly FlagName[];
const OF_GOING_BACK = ["dry-run", "files-only", "overwrite"] as const satisfies readonly FlagName[];

function refuseTogether(flags: FlagValues): void {
  const ways = WAYS.filter((name) => flags[name] !== undefined);
  const [way] = ways;
  if (ways.length > 1) throw usage(`--${ways.join(" and --")} exclude each other.`);
  if (way !== "list" && way !== "uncovered") return;
  const further = OF_GOING_BACK.find((name) => flags[name] !== undefined);
  if (further !== undefined) throw usage(`--${way} changes nothing, so it takes no --${further}.`);
}

async function printJson(value: JsonValue, console: Console): Promise<void> {
  await console.print(`${JSON.stringify(value, null, 2)}\n`);
}

function usage(message: string): TunacodeError {
  return new TunacodeError("usage", `${message}\nTry: tunacode help undo`);
}
