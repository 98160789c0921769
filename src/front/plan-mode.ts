// Plan mode: look and think, change nothing, until the person has approved a plan.
import type { PermissionMode } from "../domain/permission.ts";
import type { CurrentSession } from "./current-session.ts";

export const PLAN_REMARK =
  "[Plan mode: look around, but change nothing. When you know enough, present your plan with present_plan.]";

export class PlanMode {
  readonly #session: CurrentSession;
  #modeBefore: PermissionMode = "ask";

  constructor(session: CurrentSession) {
    this.#session = session;
  }

  begin(): void {
    if (this.#session.isPlanning) return;
    this.#modeBefore = this.#session.agent().permissionMode();
    this.#session.setMode("read-only", true);
  }

  end(): void {
    if (this.#session.isPlanning) this.#session.setMode(this.#modeBefore);
  }
}
