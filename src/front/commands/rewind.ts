// /rewind: the prompts of the conversation with what each changed, to go back to before one of them.
import type { BackPlan, PastTurn, Undo } from "../../app/undo.ts";
import { formatAge, formatWhole } from "../../base/numbers.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { errorCode, errorMessage } from "../../domain/error.ts";
import type { RestoreScope } from "../../domain/file-change.ts";
import { titleOf } from "../../session/title.ts";
import { changesInWords, countFiles, describeLines, namesIn, withoutFolders } from "../change-words.ts";
import type { ChoiceItem, Preview } from "../contract.ts";
import { readableDiff } from "../session-changes.ts";
import type { CommandContext, SlashCommand } from "./command.ts";
import { goBack, isRefused } from "./going-back.ts";

const MOST_FILES = 6;
const MOST_COLUMNS = 36;

export const rewindCommand: SlashCommand = {
  name: "rewind",
  description: "go back to before an earlier prompt",
  typedOnly: true,
  run: async (_args, context) => {
    if (isRefused(context)) return;
    const undo = await context.session.agent().undo();
    const turn = await chooseTurn(await undo.turns(), undo, context);
    if (turn === null) return;
    const scope = await chooseScope(turn, undo, context);
    if (scope === null) return;
    const target = { type: "prompt", number: turn.number } as const;
    await goBack({ target, scope }, undo, context, titleOf(turn.prompt));
  },
};

async function chooseTurn(
  turns: readonly PastTurn[],
  undo: Undo,
  { choose, say }: CommandContext,
): Promise<PastTurn | null> {
  const newest = turns.at(-1);
  if (newest === undefined) {
    say("There is no prompt to go back to.");
    return null;
  }
  const now = Date.now();
  const byValue = (value: string) => turns.find(({ number }) => String(number) === value);
  const preview = async (value: string) => {
    const turn = byValue(value);
    return turn === undefined ? { text: "" } : previewTurn(turn, undo);
  };
  const items = turns.map((turn) => itemOf(turn, now));
  const chosen = await choose("Go back to before", items, { selected: String(newest.number), preview });
  return chosen === null ? null : (byValue(chosen) ?? null);
}

function itemOf(turn: PastTurn, now: number): ChoiceItem {
  const facts = [
    turn.isUndone ? "taken back" : changesInWords(turn),
    turn.others.length === 0 ? "" : `${turn.others.length} by others`,
    formatAge(now - Date.parse(turn.at)),
  ];
  const detail = facts.filter((fact) => fact !== "").join(" · ");
  return { value: String(turn.number), label: titleOf(turn.prompt) || "(no words)", detail };
}

/** The files of a turn, a line each. */
async function previewTurn({ changes, others }: PastTurn, undo: Undo): Promise<Preview> {
  const files = withoutFolders(changes);
  const shown = files.length === MOST_FILES + 1 ? files : files.slice(0, MOST_FILES);
  const names = shown.map(({ path }) => visibleLine(path));
  const widest = Math.min(MOST_COLUMNS, Math.max(0, ...names.map((name) => name.length)));
  const lines = await Promise.all(
    shown.map(async (change, index) => {
      const diff = await readableDiff(change, undo);
      const counts = diff.type === "text" ? describeLines(diff.lines) : diff.reason;
      return `${names[index]?.padEnd(widest)}  ${counts}`.trimEnd();
    }),
  );
  const rest = files.length - shown.length;
  const more = rest > 0 ? [`and ${formatWhole(rest)} more`] : [];
  const byOthers = others.length === 0 ? [] : [`Somebody else: ${namesIn(others)}`];
  return { text: [...lines, ...more, ...byOthers].join("\n") };
}

/** Where no file would change, there is nothing to choose. */
async function chooseScope(
  { number, prompt }: PastTurn,
  undo: Undo,
  { choose }: CommandContext,
): Promise<RestoreScope | null> {
  const { plan, lost } = await planOf(number, undo);
  if (lost === "" && plan.changes.length === 0 && plan.conflicts.length === 0) return "both";
  const files = describePlan(plan);
  const withConversation: readonly ScopeItem[] = [
    { value: "both", label: "Files and conversation", detail: files },
    { value: "conversation", label: "Conversation only", detail: "files stay as they are" },
  ];
  const items: readonly ScopeItem[] = [
    ...(lost === "" ? withConversation : []),
    { value: "files", label: "Files only", detail: `${files}; the model is told` },
  ];
  const names = plan.changes.length === 0 ? [] : [namesIn(plan.changes)];
  const inConflict = namesIn(plan.conflicts.map(({ change }) => change));
  const asked = plan.conflicts.length === 0 ? [] : [`You are asked about: ${inConflict}`];
  const about = { text: [...names, ...asked, ...plan.remarks, lost].join("\n").trimEnd() };
  const chosen = await choose(`Go back to before: ${titleOf(prompt)}`, items, { about });
  return items.find(({ value }) => value === chosen)?.value ?? null;
}

type ScopeItem = ChoiceItem & { readonly value: RestoreScope };

/** Where the journal has lost the conversation before a prompt, files can still be taken back. */
async function planOf(
  number: number,
  undo: Undo,
): Promise<{ readonly plan: BackPlan; readonly lost: string }> {
  const target = { type: "prompt", number } as const;
  try {
    return { plan: await undo.plan({ target, scope: "both" }), lost: "" };
  } catch (error) {
    if (errorCode(error) !== "usage") throw error;
    return { plan: await undo.plan({ target, scope: "files" }), lost: errorMessage(error) };
  }
}

function describePlan({ changes, conflicts }: BackPlan): string {
  const changed = conflicts.length === 0 ? "" : `${conflicts.length} changed since`;
  return [countFiles(changes), changed].filter((words) => words !== "").join(", ");
}
