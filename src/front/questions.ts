// The person as the agent sees them: questions go out as events, and the first answer to each counts.
import type { Person } from "../app/settings.ts";
import { UserAbortError } from "../domain/error.ts";
import type { PersonAnswer } from "../domain/permission.ts";
import type { Answer, AskedQuestion, Topic } from "./contract.ts";
import type { Tell } from "./event-log.ts";

interface Reply {
  readonly answer: Answer;
  readonly words: string;
}

interface Waiting {
  readonly question: AskedQuestion;
  readonly resolve: (reply: Reply | null) => void;
}

export class OpenQuestions {
  readonly #tell: Tell;
  readonly #onPlanSettled: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  /** onPlanSettled: a plan was approved, or plan mode left without one. */
  constructor(tell: Tell, onPlanSettled: () => void) {
    this.#tell = tell;
    this.#onPlanSettled = onPlanSettled;
  }

  readonly person: Person = {
    askPermission: async (question, signal) =>
      permissionAnswer(await this.#put({ kind: "permission", question }, signal)),
    askToGoOn: async (reached, signal) => {
      const reply = await this.#put({ kind: "go-on", reached }, signal);
      return reply?.answer.type === "go-on" && reply.answer.goOn;
    },
    askAboutPlan: async (plan, signal) => {
      const { text, endsPlanning } = planAnswer(await this.#put({ kind: "plan", plan }, signal));
      if (endsPlanning) this.#onPlanSettled();
      return text;
    },
  };

  open(): readonly AskedQuestion[] {
    return [...this.#waiting.values()].map(({ question }) => question);
  }

  answer(id: number, answer: Answer, words = ""): void {
    if (this.#waiting.has(id)) this.#settle(id, { answer, words });
    else this.#tell({ type: "note", tone: "quiet", text: "That question is already answered." });
  }

  /** The request is over: what is still open needs no answer any more. */
  drop(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, null);
  }

  #put(topic: Topic, signal: AbortSignal): Promise<Reply | null> {
    const question = { ...topic, id: this.#nextId++ };
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const stop = () => this.#settle(question.id, null);
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.set(question.id, {
        question,
        resolve: (reply) => {
          signal.removeEventListener("abort", stop);
          resolve(reply);
        },
      });
      this.#tell({ type: "question-asked", question });
    });
  }

  #settle(id: number, reply: Reply | null): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    const settled = reply === null ? { answer: null } : reply;
    this.#tell({ type: "question-settled", question: id, ...settled });
    waiting.resolve(reply);
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
