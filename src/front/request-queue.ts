// Prompts on their way to the agent: one request at a time; prompts sent meanwhile steer it or wait for their turn.
import { systemClock } from "../base/clock.ts";
import type { Content } from "../domain/content.ts";
import { errorMessage, UserAbortError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import { newRequestId } from "../domain/ids.ts";
import type { FrontAgent } from "./agent.ts";
import type { FrontEventBody, QueuedPrompt } from "./contract.ts";
import type { Tell } from "./event-log.ts";
import type { DebugSwitch } from "./ports.ts";
import {
  type Attach,
  type AttachedFile,
  type PreparedPrompt,
  preparePrompt,
  withOutputs,
} from "./prepared-prompt.ts";

interface RequestQueueOptions {
  readonly tell: Tell;
  readonly agent: () => FrontAgent;
  readonly attach: Attach;
  /** Takes the outputs of the person's own commands, for the prompt that is about to be sent. */
  readonly takeOutputs: () => readonly string[];
  /** Files that go with the next prompt. */
  readonly takeFiles: () => readonly AttachedFile[];
  readonly takeRemarks: () => readonly string[];
  readonly debug: DebugSwitch;
  /** A request is over. */
  readonly onEnd: () => void;
}

export class RequestQueue {
  readonly #options: RequestQueueOptions;
  #controller: AbortController | null = null;
  #canStop = true;
  /** It stays true between two requests of the queue. */
  #isWorking = false;
  #queue: readonly QueuedPrompt[] = [];
  /** Steering whose attachments have been read: the loop can take it at any moment. */
  readonly #steering = new Map<QueuedPrompt, PreparedPrompt>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#isWorking;
  }

  /** For a late subscriber. */
  working(): Extract<FrontEventBody, { type: "work-started" }> {
    return { type: "work-started", activity: "Working", canStop: this.#canStop };
  }

  get waiting(): readonly QueuedPrompt[] {
    return this.#queue;
  }

  /** Sends it now; while a request runs, with its next tool results (steer) or after it. */
  async submit(
    text: string,
    kind: QueuedPrompt["kind"] = "steer",
    replacesUnanswered = false,
  ): Promise<void> {
    if (!this.isRunning) return this.#start(() => this.#request(text, replacesUnanswered));
    const queued = { kind, text };
    this.#setQueue([...this.#queue, queued]);
    if (kind === "follow-up") return;
    const prompt = await preparePrompt(text, this.#options.attach);
    if (this.#queue.includes(queued)) this.#steering.set(queued, prompt);
  }

  /** Returns the last queued prompt to the person. */
  takeBack(): void {
    const last = this.#queue.at(-1);
    if (last === undefined) return;
    this.#remove(last);
    this.#options.tell({ type: "returned", text: last.text });
  }

  stop(): void {
    if (this.#controller === null) return;
    // Work that can't be stopped goes on, but no prompt that waits for it starts by itself.
    if (this.#canStop) this.#options.tell({ type: "stopping" });
    this.#controller.abort(new UserAbortError());
  }

  /** Runs something other than a prompt, such as a compaction. */
  run(activity: string, events: (signal: AbortSignal) => AsyncGenerator<AgentEvent, unknown>): Promise<void> {
    this.#options.tell({ type: "work-started", activity, canStop: true });
    return this.#start(() => this.#occupy(({ signal }) => this.#follow(events(signal))));
  }

  /** Prompts wait until the work is done. It is never stopped halfway. */
  occupy(activity: string, work: () => Promise<void>): Promise<void> {
    this.#options.tell({ type: "work-started", activity, canStop: false });
    this.#canStop = false;
    return this.#start(() => this.#occupy(work));
  }

  idle(): Promise<void> {
    return this.#running;
  }

  #start(first: () => Promise<boolean>): Promise<void> {
    this.#running = this.#work(first);
    return this.#running;
  }

  /** Runs the first one to its end, then the queue. */
  async #work(first: () => Promise<boolean>): Promise<void> {
    this.#isWorking = true;
    let isAborted = await first();
    while (true) {
      const next = isAborted ? this.#returnAll() : this.#takeNext();
      if (next === null) break;
      isAborted = await this.#request(next);
    }
    this.#isWorking = false;
  }

  #request(text: string, replacesUnanswered = false): Promise<boolean> {
    const { tell, agent, attach, debug, takeFiles, takeOutputs, takeRemarks } = this.#options;
    return this.#occupy(async (controller) => {
      const prompt = await preparePrompt(text, attach, { attached: takeFiles() });
      tell({ type: "prompt-sent", text, attachments: prompt.attachments });
      this.#tellProblems(prompt.problems);
      const requestId = newRequestId();
      debug.begin(requestId);
      const takeSteering = () => this.#takeSteering();
      const content = withOutputs(prompt.content, takeOutputs());
      const options = { controller, requestId, takeSteering, takeRemarks, replacesUnanswered };
      await this.#follow(agent().run(content, options));
    });
  }

  /** Returns whether it was stopped. */
  async #occupy(work: (controller: AbortController) => Promise<void>): Promise<boolean> {
    const { tell, onEnd } = this.#options;
    const controller = new AbortController();
    const startedAt = systemClock.now();
    this.#controller = controller;
    try {
      await work(controller);
    } catch (error) {
      // The loop turns failures into outcomes; what it still throws is a bug or an unusable session.
      tell({ type: "note", tone: "error", text: errorMessage(error) });
    } finally {
      this.#controller = null;
      this.#canStop = true;
    }
    onEnd();
    tell({ type: "work-ended", tookMs: systemClock.now() - startedAt });
    return controller.signal.aborted;
  }

  async #follow(events: AsyncGenerator<AgentEvent, unknown>): Promise<void> {
    const { tell, debug } = this.#options;
    for await (const event of events) {
      debug.event(event);
      tell({ type: "agent", event: asData(event) });
    }
  }

  #takeSteering(): readonly Content[] {
    const taken = [...this.#steering];
    this.#steering.clear();
    const prompts = new Set(taken.map(([queued]) => queued));
    if (prompts.size > 0) this.#setQueue(this.#queue.filter((queued) => !prompts.has(queued)));
    for (const [, { problems }] of taken) this.#tellProblems(problems);
    const [first, ...others] = taken.map(([, { content }]) => content);
    if (first === undefined) return [];
    return [withOutputs(first, this.#options.takeOutputs()), ...others];
  }

  #tellProblems(problems: readonly string[]): void {
    for (const text of problems) this.#options.tell({ type: "note", tone: "warning", text });
  }

  /** Steering that no tool result could carry comes first, because it was meant for the request that ended. */
  #takeNext(): string | null {
    const next = this.#queue.find(({ kind }) => kind === "steer") ?? this.#queue[0];
    if (next === undefined) return null;
    this.#remove(next);
    return next.text;
  }

  /** After a stop nothing starts by itself: the queue goes back to the person. */
  #returnAll(): null {
    const texts = this.#queue.map(({ text }) => text);
    this.#steering.clear();
    if (texts.length === 0) return null;
    this.#setQueue([]);
    this.#options.tell({ type: "returned", text: texts.join("\n") });
    return null;
  }

  #remove(queued: QueuedPrompt): void {
    this.#steering.delete(queued);
    this.#setQueue(this.#queue.filter((other) => other !== queued));
  }

  #setQueue(queue: readonly QueuedPrompt[]): void {
    this.#queue = queue;
    this.#options.tell({ type: "queue-changed", queue });
  }
}

/** An error object is not data; the outcome has its code and message. */
function asData(event: AgentEvent): AgentEvent {
  if (event.type !== "request-end" || event.outcome.type !== "failed") return event;
  return { ...event, outcome: { ...event.outcome, error: null } };
}
