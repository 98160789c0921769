// A question to the person: may this run, is this plan right, shall it go on. One is shown at a time.
import type { Answer, AskedQuestion } from "../../front/contract.ts";

export type Question = AskedQuestion & QuestionView;

interface QuestionView {
  /** The choice the cursor is on. */
  readonly selected: number;
  /** Which page of a long text is shown. */
  readonly page: number;
  /** The person is typing words, which are no answers. */
  readonly isTyping: boolean;
}

export const NEW_QUESTION: QuestionView = { selected: 0, page: 0, isTyping: false };

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly answer: Answer;
}

/** The last one runs nothing: it is what Escape means. */
export function choicesOf(question: Question): readonly Choice[] {
  switch (question.kind) {
    case "permission": {
      const { yes } = question.question;
      const offers = question.question.offers.map(
        ({ label }, offer): Choice => ({
          key: offer === 0 ? "a" : String(offer + 1),
          label: `Yes, ${label}`,
          answer: { type: "permission", answer: { type: "offer", offer } },
        }),
      );
      return [
        {
          key: "y",
          label: yes === undefined ? "Yes" : `Yes, ${yes}`,
          answer: { type: "permission", answer: { type: "once" } },
        },
        ...offers,
        {
          key: "n",
          label: "No, and tell the model what to do instead",
          answer: { type: "permission", answer: { type: "deny" }, words: true },
        },
        { key: "s", label: "Stop", answer: { type: "permission", answer: { type: "stop" } } },
      ];
    }
    case "plan":
      return [
        { key: "y", label: "Yes, carry it out", answer: { type: "plan", answer: "approve" } },
        {
          key: "n",
          label: "No, change it: tell the model how",
          answer: { type: "plan", answer: "change", words: true },
        },
        { key: "l", label: "Leave plan mode without it", answer: { type: "plan", answer: "leave" } },
        { key: "s", label: "Stop, and stay in plan mode", answer: { type: "plan", answer: "stop" } },
      ];
    case "go-on":
      return [
        { key: "y", label: "Yes, go on", answer: { type: "go-on", answer: "yes" } },
        { key: "n", label: "No, sum up and stop", answer: { type: "go-on", answer: "sum-up" } },
        { key: "s", label: "Stop", answer: { type: "go-on", answer: "stop" } },
      ];
  }
}
