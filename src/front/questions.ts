// The person as the agent sees them: questions go out as events, and the first answer to each is final.
import type { Person } from "../app/settings.ts";
import { inTime } from "../base/abort.ts";
import { UserAbortError } from "../domain/error.ts";
import type { PersonAnswer } from "../domain/permission.ts";
import type { Answer, AskedQuestion, PlanAnswer, Topic } from "./contract.ts";
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

  /** onPlanSettled: the person approved a plan, or left plan mode without one. */
  constructor(tell: Tell, onPlanSettled: () => void) {
    this.#tell = tell;
    this.#onPlanSettled = onPlanSettled;
  }

  readonly person: Person = {
    askPermission: async (question, signal) =>
      permissionAnswer(await this.#put({ kind: "permission", question }, signal)),
    askToGoOn: async (reached, signal) => {
      const reply = await this.#put({ kind: "go-on", reached }, signal);
      const answer = reply?.answer.type === "go-on" ? reply.answer.answer : "stop";
      if (answer === "stop") throw new UserAbortError();
      return answer === "yes";
    },
    askAboutPlan: async (plan, signal) => {
      const reply = await this.#put({ kind: "plan", plan }, signal);
      const answer = reply?.answer.type === "plan" ? reply.answer.answer : "stop";
      // Plan mode protects the person's files, so it ends only when they say so.
      if (answer === "approve" || answer === "leave") this.#onPlanSettled();
      return textAboutPlan(answer, reply?.words.trim() ?? "");
    },
  };

  open(): readonly AskedQuestion[] {
    return [...this.#waiting.values()].map(({ question }) => question);
  }

  answer(id: number, answer: Answer, words = ""): void {
    if (this.#waiting.has(id)) this.#settle(id, { answer, words });
    else this.#tell({ type: "note", tone: "quiet", text: "That question is already answered." });
  }

  /** What may run has changed, so whoever asked decides again about the same call, and asks again if need be. */
  judgeAgain(): void {
    for (const [id, { question }] of [...this.#waiting])
      if (question.kind === "permission" && question.question.followsMode) {
        const { args } = question.question;
        this.#settle(id, { answer: { type: "permission", answer: { type: "changed", args } }, words: "" });
      }
  }

  /** The request is over, so open questions no longer need an answer. */
  drop(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, null);
  }

  async #put(topic: Topic, signal: AbortSignal): Promise<Reply | null> {
    if (signal.aborted) return null;
    const question = { ...topic, id: this.#nextId++ };
    const { promise, resolve } = Promise.withResolvers<Reply | null>();
    this.#waiting.set(question.id, { question, resolve });
    this.#tell({ type: "question-asked", question });
    const reply = await inTime(promise, signal);
    this.#settle(question.id, null);
    return reply;
  }

  #settle(id: number, reply: Reply | null): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#tell({ type: "question-settled", question: id, ...(reply ?? { answer: null }) });
    waiting.resolve(reply);
  }
}

function permissionAnswer(reply: Reply | null): PersonAnswer {
  if (reply === null || reply.answer.type !== "permission") return { type: "stop" };
  const { answer } = reply.answer;
  if (answer.type !== "deny" || reply.words.trim() === "") return answer;
  return { type: "deny", words: reply.words };
}

function textAboutPlan(answer: PlanAnswer, words: string): string {
  switch (answer) {
    case "approve":
      return "The person approved the plan. Carry it out now.";
    case "leave":
      return "The person left plan mode without approving the plan. Don't carry it out; ask what to do instead.";
    case "change":
      return words === ""
        ? "The person did not approve the plan. Ask what should be different, or present another plan."
        : `The person did not approve the plan yet. They say: ${words}\nChange the plan and present it again.`;
    case "stop":
      throw new UserAbortError();
  }
}
