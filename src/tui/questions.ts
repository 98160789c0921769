// The person as the agent sees them: questions go to the screen, answers come back. One at a time, in order.
import { UserAbortError } from "../domain/error.ts";
import type { PersonAnswer } from "../domain/permission.ts";
import type { Person } from "./ports.ts";
import type { Answer, Question } from "./state/question.ts";
import type { Store } from "./store.ts";

type Topic = Question extends infer Each
  ? Each extends Question
    ? Omit<Each, "id" | "selected">
    : never
  : never;
type Reply = { readonly answer: Answer; readonly words: string };

export interface QuestionHooks {
  /** A question waits: someone should notice. */
  readonly onAsked: () => void;
  /** A plan was approved, or plan mode left without one. */
  readonly onPlanSettled: () => void;
}

export class Questions {
  readonly #store: Store;
  readonly #hooks: QuestionHooks;
  readonly #waiting = new Map<number, (reply: Reply | null) => void>();
  #nextId = 1;

  constructor(store: Store, hooks: QuestionHooks) {
    this.#store = store;
    this.#hooks = hooks;
  }

  readonly person: Person = {
    ask: async (question, signal) =>
      permissionAnswer(await this.#put({ kind: "permission", question }, signal)),
    askToGoOn: async (reached, signal) => {
      const reply = await this.#put({ kind: "go-on", reached }, signal);
      return reply?.answer.type === "go-on" && reply.answer.goOn;
    },
    presentPlan: async (plan, signal) => {
      const reply = await this.#put({ kind: "plan", plan }, signal);
      const answer = planAnswer(reply);
      if (answer.endsPlanning) this.#hooks.onPlanSettled();
      return answer.text;
    },
  };

  /** Answers the question that is shown. */
  answer(answer: Answer, words = ""): void {
    const [question] = this.#store.get().questions;
    if (question !== undefined) this.#settle(question.id, { answer, words });
  }

  /** The request is over: what is still open needs no answer any more. */
  drop(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, null);
  }

  #put(topic: Topic, signal: AbortSignal | undefined): Promise<Reply | null> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(null);
      const stop = () => this.#settle(id, null);
      signal?.addEventListener("abort", stop, { once: true });
      this.#waiting.set(id, (reply) => {
        signal?.removeEventListener("abort", stop);
        resolve(reply);
      });
      const question = { ...topic, id, selected: 0 } as Question;
      this.#store.change({ questions: [...this.#store.get().questions, question] });
      this.#hooks.onAsked();
    });
  }

  #settle(id: number, reply: Reply | null): void {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    const questions = this.#store.get().questions.filter((question) => question.id !== id);
    this.#store.change({ questions });
    resolve?.(reply);
  }
}

function permissionAnswer(reply: Reply | null): PersonAnswer {
  if (reply === null || reply.answer.type !== "permission") return { type: "stop" };
  const { answer } = reply.answer;
  if (answer.type !== "deny" || reply.words.trim() === "") return answer;
  return { type: "deny", words: reply.words };
}

function planAnswer(reply: Reply | null): { text: string; endsPlanning: boolean } {
  if (reply === null || reply.answer.type !== "plan") throw new UserAbortError();
  if (reply.answer.approved)
    return { text: "The person approved the plan. Carry it out now.", endsPlanning: true };
  if (reply.words.trim() !== "") {
    const text = `The person did not approve the plan yet. They say: ${reply.words}\nChange the plan and present it again.`;
    return { text, endsPlanning: false };
  }
  return {
    text: "The person left plan mode without approving the plan. Don't carry it out; ask what to do instead.",
    endsPlanning: true,
  };
}
