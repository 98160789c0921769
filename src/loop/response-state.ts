// Says where a request is, never whether it is done.

export type AgentState = "user_input" | "assistant" | "tool_execution" | "response";

const ALLOWED: Readonly<Record<AgentState, readonly AgentState[]>> = {
  user_input: ["assistant"],
  assistant: ["tool_execution", "response"],
  tool_execution: ["response"],
  response: ["assistant"],
};

export class ResponseState {
  #current: AgentState = "user_input";
  /** A node had output that a person can see. */
  hasUserResponse = false;
  /** For emergencies only: the loop stops at the next node. No normal path sets it. */
  taskCompleted = false;

  get current(): AgentState {
    return this.#current;
  }

  canTransitionTo(next: AgentState): boolean {
    return ALLOWED[this.#current].includes(next);
  }

  transitionTo(next: AgentState): void {
    if (!this.canTransitionTo(next)) {
      throw new Error(`A request can't go from ${this.#current} to ${next}.`);
    }
    this.#current = next;
  }
}
