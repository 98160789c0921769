// Prompts on their way to the agent: one request at a time; what is sent meanwhile steers it or waits its turn.
import { type Clock, systemClock } from "../base/clock.ts";
import type { Content } from "../domain/content.ts";
import { errorMessage, UserAbortError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import {
  type Attach,
  type PreparedPrompt,
  preparePrompt,
  type Surroundings,
} from "./input/prepared-prompt.ts";
import { PLAN_REMARK } from "./plan-mode.ts";
import type { TerminalAgent } from "./ports.ts";
import { startRequest } from "./state/running-request.ts";
import type { QueuedPrompt } from "./state/view-state.ts";
import type { Store } from "./store.ts";

export interface RequestQueueOptions {
  readonly store: Store;
  readonly agent: () => TerminalAgent;
  readonly attach: Attach;
  /** A request is over. */
  readonly onEnd: (tookMs: number) => void;
  /** Text that goes back into the editor. */
  readonly onReturned: (text: string) => void;
  readonly clock?: Clock;
}

export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #clock: Clock;
  #controller: AbortController | null = null;
  /** Also between two requests of the queue. */
  #isWorking = false;
  /** Steering whose attachments are read, ready to be taken by the loop at any moment. */
  readonly #steering = new Map<QueuedPrompt, Content>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: RequestQueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get isRunning(): boolean {
    return this.#isWorking;
  }

  /** Sends it now, or with the next tool results of the request that runs. */
  async submit(text: string): Promise<void> {
    if (!this.isRunning) return this.#start(text);
    const queued: QueuedPrompt = { kind: "steer", text };
    this.#enqueue(queued);
    const { content } = await preparePrompt(text, { before: [], after: [] }, this.#options.attach);
    if (this.#queue().includes(queued)) this.#steering.set(queued, content);
  }

  followUp(text: string): Promise<void> {
    if (!this.isRunning) return this.#start(text);
    this.#enqueue({ kind: "follow-up", text });
    return Promise.resolve();
  }

  /** The last one that waits, out of the queue. */
  takeBack(): string | null {
    const last = this.#queue().at(-1);
    if (last === undefined) return null;
    this.#remove(last);
    return last.text;
  }

  stop(): void {
    if (this.#controller === null) return;
    this.#options.store.dispatch({ type: "stop-asked" });
    this.#controller.abort(new UserAbortError());
  }

  /** Something other than a prompt that yields events, such as a compaction. */
  async run(
    activity: string,
    events: (signal: AbortSignal) => AsyncGenerator<AgentEvent, unknown>,
  ): Promise<void> {
    const { store } = this.#options;
    const controller = new AbortController();
    store.change({ request: { ...startRequest(this.#clock.now()), activity } });
    this.#isWorking = true;
    await this.#occupy(controller, () => this.#show(events(controller.signal)));
    this.#isWorking = false;
    store.change({ request: null });
  }

  idle(): Promise<void> {
    return this.#running;
  }

  #start(text: string): Promise<void> {
    this.#running = this.#work(text);
    return this.#running;
  }

  async #work(first: string): Promise<void> {
    let next: string | null = first;
    this.#isWorking = true;
    while (next !== null) {
      const isAborted = await this.#request(next);
      next = isAborted ? this.#returnAll() : this.#takeNext();
    }
    this.#isWorking = false;
  }

  async #request(text: string): Promise<boolean> {
    const { store, agent, attach, onEnd } = this.#options;
    const controller = new AbortController();
    const startedAt = this.#clock.now();
    await this.#occupy(controller, async () => {
      const prompt: PreparedPrompt = await preparePrompt(text, this.#surroundings(), attach);
      store.dispatch({ type: "prompt-sent", text, attachments: prompt.attachments, now: this.#clock.now() });
      for (const problem of prompt.problems) store.dispatch({ type: "note", tone: "warning", text: problem });
      const takeSteering = () => this.#takeSteering();
      await this.#show(agent().run(prompt.content, { controller, takeSteering }));
    });
    onEnd(this.#clock.now() - startedAt);
    return controller.signal.aborted;
  }

  async #occupy(controller: AbortController, work: () => Promise<void>): Promise<void> {
    this.#controller = controller;
    try {
      await work();
    } catch (error) {
      // The loop turns failures into outcomes; what still comes out is a bug or a session that can't be used.
      const { store } = this.#options;
      store.dispatch({ type: "note", tone: "error", text: errorMessage(error) });
      store.change({ request: null });
    } finally {
      this.#controller = null;
    }
  }

  async #show(events: AsyncGenerator<AgentEvent, unknown>): Promise<void> {
    for await (const event of events) {
      try {
        this.#options.store.dispatch({ type: "event", event, now: this.#clock.now() });
      } catch (error) {
        // What can't be shown must not touch the request.
        const text = `An event could not be shown: ${errorMessage(error)}`;
        this.#options.store.dispatch({ type: "note", tone: "error", text });
      }
    }
  }

  #takeSteering(): readonly Content[] {
    const taken = [...this.#steering];
    this.#steering.clear();
    const prompts = new Set(taken.map(([queued]) => queued));
    if (prompts.size > 0)
      this.#options.store.change({ queue: this.#queue().filter((queued) => !prompts.has(queued)) });
    return taken.map(([, content]) => content);
  }

  /** Steering that no tool result could carry comes first: it was meant for now. */
  #takeNext(): string | null {
    const next = this.#queue().find(({ kind }) => kind === "steer") ?? this.#queue()[0];
    if (next === undefined) return null;
    this.#remove(next);
    return next.text;
  }

  /** After a stop nothing starts by itself: what waited goes back to the person. */
  #returnAll(): null {
    const texts = this.#queue().map(({ text }) => text);
    this.#steering.clear();
    this.#options.store.change({ queue: [] });
    if (texts.length > 0) this.#options.onReturned(texts.join("\n"));
    return null;
  }

  #surroundings(): Surroundings {
    const { shellOutputs, planning } = this.#options.store.get();
    return { before: shellOutputs, after: planning ? [PLAN_REMARK] : [] };
  }

  #enqueue(queued: QueuedPrompt): void {
    this.#options.store.change({ queue: [...this.#queue(), queued] });
  }

  #remove(queued: QueuedPrompt): void {
    this.#steering.delete(queued);
    this.#options.store.change({ queue: this.#queue().filter((other) => other !== queued) });
  }

  #queue(): readonly QueuedPrompt[] {
    return this.#options.store.get().queue;
  }
}
