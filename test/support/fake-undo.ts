// Undo of a session in memory: the conversation really goes back, and files are what a test says.
import type { BackConflict, BackPlan, BackRequest, Branch, PastTurn, Undo } from "../../src/app/undo.ts";
import { TunacodeError } from "../../src/domain/error.ts";
import { ABSENT, type FileChange, type FileImage } from "../../src/domain/file-change.ts";
import { newRequestId, newRestoreId } from "../../src/domain/ids.ts";
import { hasUserPrompt, type Message } from "../../src/domain/message.ts";
import { reduceEvent } from "../../src/session/reduce.ts";
import type { SessionState } from "../../src/session/state.ts";

/** A diff for each path: one that begins at line 0 is of a new file, one that ends there of a deleted one. */
type Diffs = Readonly<Record<string, string>>;

export interface UndoScript {
  /** By the number of the prompt. */
  readonly changes?: Readonly<Record<number, Diffs>>;
  readonly others?: Readonly<Record<number, Diffs>>;
  /** Files that are not as the run left them. */
  readonly conflicts?: Readonly<Record<string, Omit<BackConflict, "change"> & { readonly diff: string }>>;
  readonly remarks?: readonly string[];
  /** The journal has lost the conversation before each prompt. */
  readonly hasLost?: boolean;
  /** Hears of every time somebody goes back. */
  readonly onBack?: (request: BackRequest, overwrite: readonly string[]) => void;
}

interface Restore {
  readonly branch: Branch;
  readonly messages: readonly Message[];
  readonly changes: readonly FileChange[];
}

export function fakeUndo(session: SessionState, script: UndoScript): Undo {
  const restores: Restore[] = [];
  const undone = new Set<number>();
  const diffs = new Map<FileChange, string>();
  const changesOf = (texts: Diffs = {}) =>
    Object.entries(texts).map(([path, diff]) => {
      const change = changeOf(path, diff);
      diffs.set(change, diff);
      return change;
    });
  const turns = (): readonly PastTurn[] =>
    prompts(session.conversation.messages).map(({ content, timestamp }, index) => {
      const changes = changesOf(script.changes?.[index + 1]);
      return {
        number: index + 1,
        requestId: newRequestId(),
        prompt: content,
        at: timestamp ?? new Date().toISOString(),
        calls: [],
        others: changesOf(script.others?.[index + 1]),
        changes,
        lines: linesIn(changes.map((change) => diffs.get(change) ?? "").join("\n")),
        isUndone: undone.has(index + 1),
      };
    });
  const restore = (messages: readonly Message[], changes: readonly FileChange[]) => {
    const before = [...session.conversation.messages];
    const restoreId = newRestoreId();
    const first = prompts(before)[prompts(messages).length];
    const at = new Date().toISOString();
    const title = typeof first?.content === "string" ? first.content : "";
    const branch = { id: restoreId, leftAt: at, title, prompts: prompts(before).length };
    restores.push({ branch, messages: before, changes });
    const facts = { restoreId, at, scope: "both", takesBack: [], backTo: null, remark: null } as const;
    reduceEvent(session, { type: "restored", restore: facts, messages });
    return restoreId;
  };
  const plan = ({ target, scope }: BackRequest): BackPlan => {
    const all = turns();
    const last = restores.at(-1);
    const remarks = script.remarks ?? [];
    if (target.type === "redo" && last === undefined)
      throw new TunacodeError("usage", "There is nothing to redo.");
    if (target.type === "redo") return { changes: last?.changes ?? [], conflicts: [], prompt: null, remarks };
    if (all.length === 0) throw new TunacodeError("usage", "There is nothing to take back.");
    if (script.hasLost === true && scope !== "files") throw new TunacodeError("usage", "It is lost.");
    const number = target.type === "prompt" ? target.number : all.length;
    const taken = all.filter((turn) => turn.number >= number && !turn.isUndone);
    const found = scope === "conversation" ? [] : taken.flatMap((turn) => turn.changes).map(reversed);
    const changes = [...new Map(found.map((change) => [change.path, change])).values()];
    const conflicts = changes.flatMap((change) => {
      const conflict = script.conflicts?.[change.path];
      if (conflict === undefined) return [];
      diffs.set(change, conflict.diff);
      return [{ change, why: conflict.why, canOverwrite: conflict.canOverwrite }];
    });
    const free = changes.filter((change) => !conflicts.some((conflict) => conflict.change === change));
    const prompt = scope === "files" ? null : (all[number - 1]?.prompt ?? null);
    return { changes: free, conflicts, prompt, remarks };
  };
  return {
    turns: async () => turns(),
    plan: async (request) => plan(request),
    goBack: async (request, overwrite = []) => {
      script.onBack?.(request, overwrite);
      const planned = plan(request);
      const isOverwritten = ({ change }: BackConflict) => overwrite.includes(change.path);
      const overwritten = planned.conflicts.filter(isOverwritten).map(({ change }) => change);
      const changes = [...planned.changes, ...overwritten];
      const { target, scope } = request;
      const number = target.type === "prompt" ? target.number : turns().length;
      const now = [...session.conversation.messages];
      const isRedo = target.type === "redo";
      if (scope === "files") for (const turn of turns()) if (turn.number >= number) undone.add(turn.number);
      const messages = isRedo ? restores.pop()?.messages : scope === "files" ? now : cutBefore(now, number);
      const restoreId = restore(messages ?? now, changes.map(reversed));
      if (isRedo) restores.pop();
      const conflicts = planned.conflicts.filter((conflict) => !isOverwritten(conflict));
      return { ...planned, changes, conflicts, restoreId, messages: messages ?? now };
    },
    branches: async () => restores.map(({ branch }) => branch).toReversed(),
    switchTo: async (id) => {
      const index = restores.findIndex(({ branch }) => branch.id === id);
      const [chosen] = restores.splice(index, 1);
      restore(chosen?.messages ?? [], []);
    },
    diff: async (change) => {
      const diff = diffs.get(change);
      if (diff === undefined || diff === "") return { type: "none", reason: "It is not a text." };
      return { type: "text", diff, lines: linesIn(diff) };
    },
    uncovered: async () => [],
  };
}

function prompts(messages: readonly Message[]) {
  return messages
    .filter(hasUserPrompt)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "user-prompt" ? [part] : [])));
}

function cutBefore(messages: readonly Message[], number: number): readonly Message[] {
  const starts = messages.flatMap((message, index) => (hasUserPrompt(message) ? [index] : []));
  return messages.slice(0, starts[number - 1] ?? messages.length);
}

function changeOf(path: string, diff: string): FileChange {
  const image = (name: string): FileImage => ({
    type: "file",
    content: `sha256:${name}`,
    mode: 0o644,
    size: diff.length,
  });
  return {
    path,
    before: diff.startsWith("@@ -0,0") ? ABSENT : image("before"),
    after: diff.includes("+0,0 @@") ? ABSENT : image("after"),
  };
}

function reversed({ path, before, after }: FileChange): FileChange {
  return { path, before: after, after: before };
}

function linesIn(diff: string): { readonly added: number; readonly removed: number } {
  const count = (sign: string) => diff.split("\n").filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}
