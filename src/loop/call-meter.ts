// What an attempt at an answer costs: as reported, or estimated from what was sent and what came. It is charged once,
// however the attempt ends.
import { defined } from "../base/defined.ts";
import type { AgentEvent } from "../domain/event.ts";
import { type Budget, chargeUsage, limitsSpending } from "../domain/limits.ts";
import type { Model, ModelEvent, ModelRequest } from "../domain/model.ts";
import { estimateTokens } from "../domain/tokens.ts";
import { callUsage, type Usage, type UsageTotals } from "../domain/usage.ts";
import { inputTokens, noteCounted } from "./input-estimate.ts";

export interface Ledger {
  readonly budget: Budget;
  /** What the budget was charged with and no event has told yet: whoever makes calls passes it on as events. */
  readonly spent: UsageTotals[];
}

/** By the price of the model that was called. */
export function chargeCall(usage: Usage, { price }: Model, { budget, spent }: Ledger): void {
  const call = callUsage(usage, price);
  chargeUsage(budget, call);
  spent.push(call);
}

/** Tells about what was charged, as events. byTool: for a summary, not for the conversation itself. */
export function* spendingEvents(spent: UsageTotals[], byTool?: true): Generator<AgentEvent, void> {
  for (let call = spent.shift(); call !== undefined; call = spent.shift())
    yield { type: "usage", call, ...defined({ byTool }) };
}

export class CallMeter {
  readonly #request: ModelRequest;
  readonly #model: Model;
  readonly #ledger: Ledger;
  /** The vendor may be at work on it. */
  #isOut = true;
  #reported: Usage | undefined;
  /** Of text, thoughts and calls. */
  #characters = 0;
  #callCharacters = 0;

  constructor(request: ModelRequest, model: Model, ledger: Ledger) {
    this.#request = request;
    this.#model = model;
    this.#ledger = ledger;
  }

  get hasReport(): boolean {
    return this.#reported !== undefined;
  }

  note(event: ModelEvent): void {
    if (event.type !== "finish") this.#isOut = event.type !== "retry-wait";
    if (event.type === "usage") this.#reported = event.usage;
    if (event.type === "text-delta" || event.type === "thought-delta") this.#characters += event.text.length;
    if (event.type === "call-delta") {
      // It tells the length so far; a shorter one is another call's.
      const isAnother = event.characters < this.#callCharacters;
      this.#characters += isAnother ? event.characters : event.characters - this.#callCharacters;
      this.#callCharacters = event.characters;
    }
  }

  /**
   * A call that failed before anything came was refused and costs nothing. One that was left while the vendor may have
   * been at work on it costs at least its input. Settled again, it has cost nothing more.
   */
  settle(how: "finished" | "failed" | "left"): ModelEvent[] {
    const usage = this.#usage(how);
    if (this.#reported !== undefined) noteCounted(this.#request, this.#reported, this.#ledger.budget);
    this.#isOut = false;
    this.#reported = undefined;
    this.#characters = 0;
    this.#callCharacters = 0;
    if (usage === null) return [];
    chargeCall(usage, this.#model, this.#ledger);
    return [{ type: "usage", usage }];
  }

  #usage(how: "finished" | "failed" | "left"): Usage | null {
    const reported = this.#reported;
    const responseTokens = estimateTokens(this.#characters);
    if (reported !== undefined) {
      // What was reported before the end need not hold all that came.
      const isWhole = how === "finished" || reported.responseTokens >= responseTokens;
      return isWhole ? reported : { ...reported, responseTokens, estimated: true };
    }
    const { budget } = this.#ledger;
    // An answer without a report updates nothing, unless there is a limit that it would get around.
    const counts = how === "finished" ? limitsSpending(budget) : how === "left" || this.#characters > 0;
    if (!this.#isOut || !counts) return null;
    const requestTokens = inputTokens(this.#request, budget);
    return { requestTokens, responseTokens, cachedTokens: 0, estimated: true };
  }
}
