// One conversation, in one place: the loop, the journal and every front read this list. It changes by folding events
// and in no other way, so that what is shown, what is saved and what is sent can't differ.
import type { AgentEvent } from "./event.ts";
import type { ToolCallId } from "./ids.ts";
import { callsOf, type Message } from "./message.ts";
import { formsAfterRewrite, type SimplerForm, withForm } from "./simpler-form.ts";
import { estimateTokens, messageCharacters } from "./tokens.ts";

/** A message from outside the running request; it joins the conversation once that request is over. */
interface Addition {
  readonly type: "addition";
  readonly message: Message;
}

/** Sums over the messages so far, so that a step costs the same in a long conversation as in a short one. */
interface Measures {
  characters: number;
  readonly callIds: Set<ToolCallId>;
}

export class Conversation {
  #messages: Message[];
  readonly #thoughts: string[];
  #forms: readonly SimplerForm[];
  /** Computed on demand, because a session that is only displayed doesn't need it. */
  #measures: Measures | undefined;
  #isInRequest = false;
  #additions: Message[] = [];

  constructor(
    messages: readonly Message[] = [],
    thoughts: readonly string[] = [],
    forms: readonly SimplerForm[] = [],
  ) {
    this.#messages = messages.slice();
    this.#thoughts = thoughts.slice();
    this.#forms = forms;
  }

  /** A message is never changed in place. The list itself grows, so callers that keep it must copy it. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get last(): Message | undefined {
    return this.#messages.at(-1);
  }

  get thoughts(): readonly string[] {
    return this.#thoughts;
  }

  /** At most one for each provider. */
  get forms(): readonly SimplerForm[] {
    return this.#forms;
  }

  /** An estimate. */
  get totalTokens(): number {
    return estimateTokens(this.#measured().characters);
  }

  hasCall(toolCallId: ToolCallId): boolean {
    return this.#measured().callIds.has(toolCallId);
  }

  fold(event: AgentEvent | Addition): void {
    switch (event.type) {
      case "request-start":
        this.#isInRequest = true;
        break;
      case "message-end":
        this.#append(event.message);
        break;
      case "thought":
        this.#thoughts.push(event.text);
        break;
      case "repair":
      case "compaction":
      case "restored":
        this.#forms = formsAfterRewrite(this.#forms, this.#messages, event.messages);
        this.#messages = event.messages.slice();
        this.#measures = undefined;
        break;
      case "simpler-form":
        this.#forms = withForm(this.#forms, event.form);
        break;
      case "addition":
        if (this.#isInRequest) this.#additions.push(event.message);
        else this.#append(event.message);
        break;
      case "request-end":
        this.#isInRequest = false;
        for (const message of this.#additions.splice(0)) this.#append(message);
        break;
      default:
        break;
    }
  }

  #append(message: Message): void {
    this.#messages.push(message);
    if (this.#measures !== undefined) measure(message, this.#measures);
  }

  #measured(): Measures {
    if (this.#measures === undefined) {
      this.#measures = { characters: 0, callIds: new Set() };
      for (const message of this.#messages) measure(message, this.#measures);
    }
    return this.#measures;
  }
}

function measure(message: Message, measures: Measures): void {
  measures.characters += messageCharacters(message);
  if (message.kind === "response")
    for (const { toolCallId } of callsOf(message)) measures.callIds.add(toolCallId);
}
