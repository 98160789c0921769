// The conversation without a screen: takes each command to the part that carries it out.
import type { SessionChoice } from "../app/settings.ts";
import { errorCode, errorMessage } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import { Choices } from "./choices.ts";
import { CommandList } from "./commands/registry.ts";
import type { Front, FrontEventBody, FrontListener, Lookups, SayOptions, Tone } from "./contract.ts";
import { CurrentSession } from "./current-session.ts";
import { EventLog } from "./event-log.ts";
import type { FrontPorts } from "./ports.ts";
import type { AttachedFile } from "./prepared-prompt.ts";
import { OpenQuestions } from "./questions.ts";
import { RequestQueue } from "./request-queue.ts";
import { sessionChanges } from "./session-changes.ts";
import { ShellRuns } from "./shell-runs.ts";

interface DeskOptions {
  /** Gets the warnings that come while the desk closes, when nobody listens to events. */
  readonly onLastWords?: (text: string) => void;
  /** They go with the first prompt. */
  readonly files?: readonly AttachedFile[];
}

const COMMAND = /^\/[a-zA-Z][\w-]*(?:\s|$)/;

export class Desk implements Front {
  readonly #ports: FrontPorts;
  readonly #onLastWords: (text: string) => void;
  readonly #log = new EventLog();
  readonly #questions: OpenQuestions;
  readonly #choices: Choices;
  readonly #session: CurrentSession;
  readonly #queue: RequestQueue;
  readonly #shell: ShellRuns;
  readonly #commands: CommandList;
  /** Commands sent before the first session is open wait for it. */
  readonly #firstSession = Promise.withResolvers<void>();
  #isOpening = false;
  #isClosing = false;

  constructor(ports: FrontPorts, { onLastWords = () => {}, files = [] }: DeskOptions = {}) {
    const unsentFiles = [...files];
    this.#ports = ports;
    this.#onLastWords = onLastWords;
    const { tell } = this.#log;
    this.#session = new CurrentSession({
      ports,
      tell,
      person: () => this.#questions.person,
      onMode: () => this.#questions.judgeAgain(),
      notify: (text) => (this.#isClosing ? this.#onLastWords(text) : this.#say(text, "warning")),
    });
    this.#questions = new OpenQuestions(tell, () => this.#session.setPlanning(false));
    this.#choices = new Choices(tell);
    this.#shell = new ShellRuns(tell, ports.runShell);
    this.#queue = new RequestQueue({
      tell,
      agent: this.#session.agent,
      attach: ports.readAttachment,
      debug: ports.debug,
      takeFiles: () => unsentFiles.splice(0),
      takeOutputs: () => this.#shell.takeOutputs(),
      takeRemarks: () => this.#session.takeRemarks(),
      onEnd: () => {
        this.#questions.drop();
        this.#session.refresh();
      },
    });
    this.#commands = new CommandList(tell);
    // The failure is told as an event, so an unhandled rejection would only tell it twice.
    this.#firstSession.promise.catch(() => {});
  }

  readonly lookups: Lookups = {
    files: () => this.#ports.fileIndex(this.#session.isOpen ? this.#session.agent().folders.list() : []),
    prompts: () => this.#ports.promptHistory(),
    messages: async () => {
      await this.#firstSession.promise;
      return this.#session.agent().messages();
    },
    preview: (choice, value) => this.#choices.preview(choice, value),
    changes: async () => {
      await this.#firstSession.promise;
      return sessionChanges(await this.#session.agent().undo());
    },
  };

  readonly subscribe = (listener: FrontListener): (() => void) =>
    this.#log.subscribe(listener, this.#present());

  readonly send: Front["send"] = (command) => {
    switch (command.type) {
      case "open":
        return void this.#open(command.session, command.model);
      case "say":
        return void this.#submit(command.text.trim(), command);
      case "remember":
        return void this.#ports.rememberPrompt(command.text).catch(() => {});
      case "stop":
        this.#shell.stop();
        return this.#queue.stop();
      case "take-back":
        return this.#queue.takeBack();
      case "answer":
        return this.#questions.answer(command.question, command.answer, command.words);
      case "choose":
        return this.#choices.settle(command.choice, command.value);
      case "rewind":
        return void this.#attempt(async () => {
          await this.#firstSession.promise;
          await this.#runCommand("/rewind");
        });
      case "set-mode":
        if (this.#session.isOpen) this.#session.setMode(command.mode);
        return;
      case "offer":
        return this.#commands.offer(command.commands);
    }
  };

  readonly close = async (): Promise<void> => {
    this.#isClosing = true;
    this.send({ type: "stop" });
    if (this.#isOpening) await this.#firstSession.promise.catch(() => {});
    await this.#queue.idle();
    await this.#session.close();
  };

  async #open(choice: SessionChoice, model: ModelName | undefined): Promise<void> {
    if (this.#isClosing) return;
    if (this.#isOpening) return this.#attempt(() => this.#reopen(choice, model));
    this.#isOpening = true;
    try {
      await this.#session.open(choice, model);
      // Lines that were sent meanwhile wait for the custom commands, too: one of them may be such a command.
      this.#commands.setCustom(await this.#ports.customCommands().catch(() => []));
      this.#firstSession.resolve();
    } catch (error) {
      this.#log.tell({ type: "open-failed", code: errorCode(error), message: errorMessage(error) });
      this.#firstSession.reject(error);
      return;
    }
    await this.#session.refresh();
  }

  async #submit(text: string, { later, replacesUnanswered, given }: SayOptions): Promise<void> {
    if (text === "") return;
    await this.#attempt(async () => {
      await this.#firstSession.promise;
      this.send({ type: "remember", text });
      const typed = given !== true;
      if (COMMAND.test(text) && (typed || !this.#commands.isTypedOnly(text))) await this.#runCommand(text);
      else if (typed && text.startsWith("!!")) await this.#shell.run(text.slice(2).trim(), false);
      else if (typed && text.startsWith("!")) await this.#shell.run(text.slice(1).trim(), true);
      else await this.#queue.submit(text, later ? "follow-up" : "steer", replacesUnanswered);
    });
  }

  #runCommand(line: string): Promise<void> {
    return this.#commands.run(line, {
      ports: this.#ports,
      session: this.#session,
      queue: this.#queue,
      say: (text, tone) => this.#say(text, tone),
      show: (panel) => this.#log.tell({ type: "panel", panel }),
      choose: (title, items, options) => this.#choices.ask(title, items, options),
      returnPrompt: (text) => this.#log.tell({ type: "returned", text, takenBack: true }),
      openSession: (choice, model) => this.#reopen(choice, model),
    });
  }

  /** The session must not change while a request runs on it. */
  async #reopen(choice: SessionChoice, model?: ModelName): Promise<void> {
    if (this.#queue.isRunning) return this.#say("A request is running. Stop it first.", "warning");
    if (choice.type === "resume" && choice.id === this.#session.agent().session.id)
      return this.#say("This conversation is open already.");
    await this.#session.open(choice, model);
    // In a copy, the outputs still go with the next prompt.
    if (choice.type !== "fork") this.#shell.takeOutputs();
    if (choice.type === "new") this.#say("A new conversation.");
    if (choice.type === "fork")
      this.#say(`A copy. The original stays as it was: /resume ${choice.id.slice(0, 8)}`);
  }

  /** A failure is told, and the conversation goes on. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#say(errorMessage(error), errorCode(error) === "usage" ? "warning" : "error");
    }
  }

  #say(text: string, tone: Tone = "info"): void {
    this.#log.tell({ type: "note", tone, text });
  }

  /** The current state as events, for a late subscriber. */
  #present(): FrontEventBody[] {
    const commands = { type: "commands-changed", commands: this.#commands.hints() } as const;
    if (!this.#session.isOpen) return [commands];
    const choice = this.#choices.open();
    return [
      { type: "session-opened", ...this.#session.opening() },
      commands,
      ...(this.#queue.isRunning ? [this.#queue.working()] : []),
      { type: "queue-changed", queue: this.#queue.waiting },
      { type: "outputs-waiting", count: this.#shell.waitingOutputs },
      ...this.#questions.open().map((question) => ({ type: "question-asked", question }) as const),
      ...(choice === null ? [] : [{ type: "choice-asked", choice } as const]),
    ];
  }
}
