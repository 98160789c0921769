// A run of random edits and commands with undo and redo at random points, beside a picture of the disk at each of them:
// whatever undo leaves behind must be what the picture shows.
import { join } from "node:path";
import type { SessionChoice } from "../../src/app/settings.ts";
import type { BackTarget, WentBack } from "../../src/app/undo.ts";
import { TunacodeError } from "../../src/domain/error.ts";
import { newRequestId, type ToolCallId } from "../../src/domain/ids.ts";
import type { ScriptedTurn } from "../../src/models/scripted.ts";
import { type Camera, type DiskPicture, differences, lineAt } from "./disk-picture.ts";
import { type OtherPerson, startOther } from "./other-person.ts";
import type { Random } from "./random.ts";
import { openUndoProject, type UndoProject } from "./undo-agent.ts";
import { randomAct } from "./undo-commands.ts";
import { type Exemption, exemptions } from "./undo-exemptions.ts";
import type { TreeKind } from "./undo-trees.ts";

export interface SequenceSettings {
  readonly kind: TreeKind;
  /** Holds `project`, and gets `home`. */
  readonly base: string;
  readonly random: Random;
  readonly steps: number;
  readonly built: number;
  readonly camera: Camera;
  /** Calls and turns are taken back out of their order, too. */
  readonly isLoose: boolean;
  /** A number for somebody else who works there meanwhile; null: nobody does. */
  readonly other: number | null;
  readonly comparesGit: boolean;
}

export interface SequenceEnd {
  /** null: all is as it should be. */
  readonly problem: string | null;
  readonly story: readonly string[];
  readonly restores: number;
  readonly conflicts: number;
}

class WrongDisk extends Error {}

export async function runSequence(settings: SequenceSettings): Promise<SequenceEnd> {
  const sequence = new Sequence(settings);
  let problem: string | null = null;
  try {
    await sequence.run();
  } catch (error) {
    problem =
      error instanceof WrongDisk ? error.message : String(error instanceof Error ? error.stack : error);
  } finally {
    await sequence.close().catch((error: unknown) => {
      problem ??= `close: ${error}`;
    });
  }
  const { story, restores, conflicts } = sequence;
  return { problem, story, restores, conflicts };
}

interface CallPictures {
  readonly before: DiskPicture;
  readonly after: DiskPicture;
}

class Sequence {
  readonly story: string[] = [];
  restores = 0;
  conflicts = 0;
  readonly #settings: SequenceSettings;
  readonly #root: string;
  readonly #exempt: Exemption;
  readonly #calls = new Map<ToolCallId, CallPictures>();
  /** The disk before each prompt. */
  readonly #prompts = new Map<string, DiskPicture>();
  /** The disk before each going back that can still be taken back. */
  readonly #redo: DiskPicture[] = [];
  #project: UndoProject | null = null;
  #other: OtherPerson | null = null;
  /** Once something was taken back out of order, or a conflict was left, only the rules for single files hold. */
  #isExact = true;

  constructor(settings: SequenceSettings) {
    this.#settings = settings;
    this.#root = join(settings.base, "project");
    this.#exempt = exemptions(this.#root);
  }

  async run(): Promise<void> {
    const { random, steps, other, isLoose } = this.#settings;
    await this.#open({ type: "new" });
    if (other !== null) this.#other = await startOther(this.#root, other);
    await this.#prompt();
    for (let step = 1; step < steps; step++) {
      const choice = random.below(20);
      if (choice < 10) await this.#prompt();
      else if (choice < 13) await this.#back({ type: "last" });
      else if (choice < 15) await this.#backToPrompt();
      else if (choice < 18) await this.#redoLast();
      else if (choice === 18) await this.#reopen();
      else if (isLoose) await this.#backOutOfOrder();
    }
    await this.#backToPrompt(1);
    await this.#redoLast();
    await this.#backToPrompt(1);
  }

  async close(): Promise<void> {
    const lost = (await this.#other?.lost(this.#settings.base)) ?? [];
    await this.#project?.close();
    if (lost.length > 0) throw new WrongDisk(`writes of somebody else are lost: ${JSON.stringify(lost)}`);
  }

  async #open(session: SessionChoice): Promise<void> {
    const notify = (text: string) => this.story.push(`notice: ${text}`);
    this.#project = await openUndoProject(this.#settings.base, { session, notify });
  }

  #answer(): ScriptedTurn {
    const { kind, built, camera, random } = this.#settings;
    const delayMs = random.pick([0, 0, 5, 40]);
    const acts = Array.from({ length: 1 + random.below(2) }, () =>
      randomAct({ kind, built, random, picture: camera.take() }),
    );
    const calls = acts.flatMap((act) => act.calls);
    for (const { tool, args } of calls) this.story.push(`  ${tool} ${JSON.stringify(args)}`);
    // A command that changes the folder must not take the next one along.
    const within = (tool: string) => (tool === "bash" ? { cwd: this.#root } : {});
    return [
      { delayMs },
      ...calls.map(({ tool, args }) => ({ call: tool, args: { ...args, ...within(tool) } })),
    ];
  }

  async #prompt(): Promise<void> {
    const { camera, random } = this.#settings;
    const project = this.#opened();
    await this.#nameUncovered();
    let answersLeft = 1 + random.below(3);
    const next = () => (answersLeft-- > 0 ? this.#answer() : [{ text: "Done." }]);
    this.#redo.length = 0;
    const requestId = newRequestId();
    this.story.push(`prompt ${requestId}`);
    let before = camera.take();
    this.#prompts.set(requestId, before);
    let lastMs = Date.now();
    let startedMs = 0;
    for await (const event of project.ask(next, requestId)) {
      if (event.type === "tool-start") startedMs = lastMs;
      // What was found just before a call starts is told when nobody looks any more.
      if (event.type !== "files-changed") lastMs = Date.now();
      if (event.type === "tool-end") {
        this.#other?.excuse(startedMs, Date.now());
        const after = camera.take();
        this.#calls.set(event.toolCallId, { before, after });
        before = after;
      }
      if (event.type === "request-end" && event.outcome.type !== "completed")
        throw new WrongDisk(`the request ended as ${JSON.stringify(event.outcome)}`);
    }
  }

  async #backToPrompt(number?: number): Promise<void> {
    const { undo } = this.#opened();
    const turns = await undo.turns();
    if (turns.length === 0) return;
    await this.#back({ type: "prompt", number: number ?? 1 + this.#settings.random.below(turns.length) });
  }

  async #back(target: BackTarget): Promise<void> {
    const { undo } = this.#opened();
    const turns = await undo.turns();
    const scope = this.#settings.random.pick(["both", "files"] as const);
    const changing = turns.findLast(({ isUndone, changes }) => !isUndone && changes.length > 0);
    const last = scope === "both" ? turns.at(-1) : changing;
    const found = target.type === "prompt" ? turns[target.number - 1] : last;
    const expected = this.#prompts.get(found?.requestId ?? "");
    // Nothing to take back.
    if (found === undefined || expected === undefined) return;
    // What was there before it is not there while an earlier one is taken back.
    const isReachable = turns.slice(0, found.number - 1).every(({ isUndone }) => !isUndone);
    await this.#goBack(target, scope, this.#isExact && isReachable ? expected : null);
  }

  async #redoLast(): Promise<void> {
    const expected = this.#redo.pop();
    if (expected === undefined) return;
    if ((await this.#goBack({ type: "redo" }, "both", expected)) !== null) this.#redo.pop();
  }

  /** A single turn or call, while later ones stay. */
  async #backOutOfOrder(): Promise<void> {
    const { undo } = this.#opened();
    const { random } = this.#settings;
    const turns = (await undo.turns()).filter(({ isUndone, calls }) => !isUndone && calls.length > 0);
    if (turns.length === 0) return;
    const turn = random.pick(turns);
    const call = random.pick(turn.calls);
    const pictures = this.#calls.get(call.toolCallId);
    this.#isExact = false;
    if (random.below(2) === 0) {
      await this.#goBack({ type: "turn", number: turn.number }, "files", null);
      return;
    }
    const now = this.#settings.camera.take();
    const result = await this.#goBack({ type: "call", toolCallId: call.toolCallId }, "files", null);
    if (pictures !== undefined && result !== null) this.#checkCall(now, pictures, result);
  }

  /** Of a single call, each file that still is as the call left it goes back, or is named as a conflict. */
  #checkCall(now: DiskPicture, { before, after }: CallPictures, { conflicts }: WentBack): void {
    const found = this.#settings.camera.take();
    const named = new Set(conflicts.map(({ change }) => change.path));
    const left = differences(before, after).filter(
      ({ path }) =>
        lineAt(now, path) === lineAt(after, path) &&
        lineAt(found, path) !== lineAt(before, path) &&
        !named.has(path) &&
        !this.#isExcused(path, found),
    );
    if (left.length > 0) throw new WrongDisk(`a call was not taken back: ${shown(left)}`);
  }

  async #goBack(
    target: BackTarget,
    scope: "both" | "files",
    expected: DiskPicture | null,
  ): Promise<WentBack | null> {
    const { camera, comparesGit } = this.#settings;
    const { undo } = this.#opened();
    await this.#nameUncovered();
    const before = camera.take();
    const git = comparesGit ? camera.takeGit() : null;
    this.story.push(`back ${JSON.stringify(target)} ${scope}`);
    const result = await undo.goBack({ target, scope }).catch(unlessNothing);
    const found = camera.take();
    await this.#other?.catchUp();
    if (result === null) {
      if (expected !== null) this.#compare("there was something to take back", expected, found, () => false);
      return null;
    }
    this.restores++;
    this.conflicts += result.conflicts.length;
    for (const { change, why } of result.conflicts)
      this.story.push(`  conflict ${JSON.stringify(change.path)}: ${why}`);
    this.#redo.push(before);
    if (git !== null) this.#compare("git's own files changed", git, camera.takeGit(), () => false);
    const touched = new Set(result.changes.map(({ path }) => path));
    this.#compare("a file changed that is not named", before, found, (path) => touched.has(path));
    if (expected !== null) this.#compare("not as it was", expected, found, () => false);
    return result;
  }

  #compare(what: string, expected: DiskPicture, found: DiskPicture, isFine: (path: string) => boolean): void {
    const wrong = differences(expected, found).filter(
      ({ path }) => !isFine(path) && !this.#isExcused(path, found),
    );
    if (wrong.length > 0) throw new WrongDisk(`${what}: ${shown(wrong)}`);
  }

  #isExcused(path: string, found: DiskPicture): boolean {
    return this.#exempt.covers(path, found) || (this.#other?.wrote(path) ?? false);
  }

  async #nameUncovered(): Promise<void> {
    for (const { path } of await this.#opened().undo.uncovered(AbortSignal.timeout(20_000)))
      this.#exempt.add(path);
  }

  async #reopen(): Promise<void> {
    const { agent } = this.#opened();
    this.story.push("close and open again");
    await agent.close();
    await this.#open({ type: "resume", id: agent.session.state.sessionId });
  }

  #opened(): UndoProject {
    if (this.#project === null) throw new Error("It is not open.");
    return this.#project;
  }
}

/** Where nothing was changed, nothing can be taken back. */
function unlessNothing(error: unknown): null {
  if (error instanceof TunacodeError && /no changes of files|nothing to/i.test(error.message)) return null;
  throw error;
}

const MOST_SHOWN = 5;

function shown(items: readonly object[]): string {
  return `${items.length} wrong, ${JSON.stringify(items.slice(0, MOST_SHOWN), null, 1)}`;
}
