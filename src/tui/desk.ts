// The conversation without a screen: prompts, commands and shell lines in, changes of the state out. The screen and
// the plain mode both sit at it.
import { type Clock, systemClock } from "../base/clock.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage } from "../domain/error.ts";
import type { Command, CommandContext } from "./commands/command.ts";
import { BUILT_IN, runCommand, withCustomCommands } from "./commands/registry.ts";
import { PlanMode } from "./plan-mode.ts";
import type { SessionChoice, TerminalAgent, TerminalPorts } from "./ports.ts";
import { Questions } from "./questions.ts";
import { RequestQueue } from "./request-queue.ts";
import { openedView } from "./session-opening.ts";
import { ShellRuns } from "./shell-runs.ts";
import type { Tone } from "./state/entry.ts";
import type { Store } from "./store.ts";
import { oneLine } from "./view/text.ts";

/** What the desk needs of whatever shows it. */
export interface DeskScreen
  extends Pick<CommandContext, "pick" | "themeName" | "setTheme" | "clearScreen" | "copy" | "leave"> {
  readonly onAsked: () => void;
  readonly onEnd: (tookMs: number) => void;
  /** Text that goes back into the editor. */
  readonly onReturned: (text: string) => void;
}

const COMMAND = /^\/[a-zA-Z][\w-]*(?:\s|$)/;

export class Desk {
  readonly store: Store;
  readonly questions: Questions;
  readonly queue: RequestQueue;
  readonly shell: ShellRuns;
  readonly #ports: TerminalPorts;
  readonly #screen: DeskScreen;
  readonly #planMode: PlanMode;
  #agent: TerminalAgent | null = null;
  #opening: Promise<void> = Promise.resolve();
  #commands: readonly Command[] = BUILT_IN;

  constructor(store: Store, ports: TerminalPorts, screen: DeskScreen, clock: Clock = systemClock) {
    this.store = store;
    this.#ports = ports;
    store.change({ folder: oneLine(stripTerminalControls(ports.folder)) });
    this.#screen = screen;
    const { onAsked, onEnd, onReturned } = screen;
    this.#planMode = new PlanMode(store, this.agent);
    this.questions = new Questions(store, { onAsked, onPlanSettled: () => this.#planMode.end() });
    this.queue = new RequestQueue({
      store,
      clock,
      agent: this.agent,
      attach: ports.readAttachment,
      onReturned,
      onEnd: (tookMs) => {
        this.questions.drop();
        this.#refresh();
        onEnd(tookMs);
      },
    });
    this.shell = new ShellRuns(store, ports.runShell);
  }

  readonly agent = (): TerminalAgent => {
    if (this.#agent === null) throw new Error("No session is open yet.");
    return this.#agent;
  };

  get commands(): readonly Command[] {
    return this.#commands;
  }

  /** The first session. Rejects where none can be opened: there is nothing to do then. */
  async open(choice: SessionChoice): Promise<void> {
    this.#opening = this.#begin(choice);
    await this.#opening;
    this.store.change({ branch: await this.#quietly(this.#ports.gitBranch(), null) });
  }

  /** A line the person sent: a command, a shell line, or a prompt. later: after the request that runs. */
  async submit(line: string, later = false): Promise<void> {
    const text = line.trim();
    if (text === "") return;
    try {
      await this.#opening;
      this.#quietly(this.#ports.rememberPrompt(text), undefined);
      if (COMMAND.test(text)) await runCommand(text, this.#context());
      else if (text.startsWith("!!")) await this.shell.run(text.slice(2).trim(), false);
      else if (text.startsWith("!")) await this.shell.run(text.slice(1).trim(), true);
      else if (later) await this.queue.followUp(text);
      else await this.queue.submit(text);
    } catch (error) {
      // A command that fails is told, and the conversation goes on.
      this.say(errorMessage(error), "error");
    }
  }

  /** Stops what runs. False: nothing did. */
  stop(): boolean {
    const isRunning = this.queue.isRunning || this.shell.isRunning;
    this.shell.stop();
    this.queue.stop();
    return isRunning;
  }

  say(text: string, tone: Tone = "info"): void {
    this.store.dispatch({ type: "note", tone, text });
  }

  /** Stops, waits until everything is on disk. */
  async close(): Promise<void> {
    this.stop();
    await this.#quietly(this.#opening, undefined);
    await this.queue.idle();
    await this.#agent?.close();
    this.#agent = null;
  }

  /** What was sent meanwhile waits for it: it may be a command that only this project has. */
  async #begin(choice: SessionChoice): Promise<void> {
    await this.#open(choice);
    this.#commands = withCustomCommands(await this.#quietly(this.#ports.customCommands(), []));
  }

  async #open(choice: SessionChoice): Promise<void> {
    const before = this.#agent;
    const agent = await this.#ports.openAgent(choice, this.questions.person);
    this.#agent = agent;
    const isCopy = choice.type === "fork" && choice.id === before?.session.id;
    this.store.change({ planning: false });
    this.store.dispatch({ type: "session-opened", opened: openedView(agent, isCopy) });
    if (agent.session.unsentPrompt !== undefined) {
      this.say("Your last prompt was never answered: it is back in the editor.");
      this.#screen.onReturned(agent.session.unsentPrompt);
    }
    await before?.close();
  }

  async #reopen(choice: SessionChoice): Promise<void> {
    if (choice.type === "resume" && choice.id === this.agent().session.id)
      return this.say("This conversation is open already.");
    await this.#open(choice);
    if (choice.type === "new") this.say("A new conversation.");
    if (choice.type === "fork")
      this.say(`A copy. The original stays as it was: /resume ${choice.id.slice(0, 8)}`);
  }

  /** What the request may have changed outside of the events. */
  #refresh(): void {
    const agent = this.#agent;
    if (agent === null) return;
    this.store.change({ session: { ...this.store.get().session, title: agent.title() } });
    this.#quietly(this.#ports.gitBranch(), null).then((branch) => this.store.change({ branch }));
  }

  #context(): CommandContext {
    const { pick, themeName, setTheme, clearScreen, copy, leave } = this.#screen;
    return {
      ports: this.#ports,
      store: this.store,
      queue: this.queue,
      agent: this.agent,
      planMode: this.#planMode,
      commands: () => this.#commands,
      say: (text, tone) => this.say(text, tone),
      openSession: (choice) => this.#reopen(choice),
      modelChanged: () => this.store.change({ model: this.agent().model() }),
      pick,
      themeName,
      setTheme,
      clearScreen,
      copy,
      leave,
    };
  }

  /** For what is only an adornment. */
  async #quietly<Value>(value: Promise<Value>, fallback: Value): Promise<Value> {
    try {
      return await value;
    } catch {
      return fallback;
    }
  }
}
