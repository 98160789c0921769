// Plan mode: look and think, change nothing, until the person has approved a plan.
import type { PermissionMode } from "../domain/permission.ts";
import type { TerminalAgent } from "./ports.ts";
import type { Store } from "./store.ts";

export const PLAN_REMARK =
  "[Plan mode: look around, but change nothing. When you know enough, present your plan with present_plan.]";

export class PlanMode {
  readonly #store: Store;
  readonly #agent: () => TerminalAgent;
  #modeBefore: PermissionMode = "ask";

  constructor(store: Store, agent: () => TerminalAgent) {
    this.#store = store;
    this.#agent = agent;
  }

  begin(): void {
    if (this.#store.get().planning) return;
    this.#modeBefore = this.#agent().permissionMode();
    this.#set("read-only", true);
  }

  end(): void {
    if (this.#store.get().planning) this.#set(this.#modeBefore, false);
  }

  #set(mode: PermissionMode, planning: boolean): void {
    this.#agent().setPermissionMode(mode);
    this.#store.change({ mode, planning });
  }
}
