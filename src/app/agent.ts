// A session and what a request on it needs: the contract's state manager.
import { availableParallelism } from "node:os";
import { type Clock, systemClock } from "../base/clock.ts";
import { type Mask, NO_MASK } from "../base/secrets.ts";
import type { ChangeTracker } from "../checkpoint/tracking.ts";
import type { KeepAside } from "../dispatch/ports.ts";
import type { Content } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import { type ModelName, newSessionId, type RequestId } from "../domain/ids.ts";
import { type Budget, newBudget, type ReachedLimit } from "../domain/limits.ts";
import type { Model } from "../domain/model.ts";
import type { Permit } from "../domain/permission.ts";
import type { Tool } from "../domain/tool.ts";
import type { LoopSettings } from "../loop/request-context.ts";
import { newSessionState, type SessionState } from "../session/state.ts";

export interface StateManager {
  readonly session: SessionState;
  readonly ports: AgentPorts;
}

export interface AgentPorts {
  readonly createModel: (name: ModelName) => Promise<Model>;
  /** Models that answer when the chosen one can't, in this order. */
  readonly fallback: readonly ModelName[];
  /** When a model that failed is tried again. */
  readonly restingUntil: Map<ModelName, number>;
  /** Writes summaries, if it can. */
  readonly smallModel?: ModelName;
  readonly tools: readonly Tool[];
  readonly permit: Permit;
  /** Called for each request, so that an edited AGENTS.md applies from the next one on. */
  readonly systemPrompt: () => Promise<string>;
  /** Hides keys in what a person or the model says. */
  readonly mask: Mask;
  readonly record: SessionRecord;
  readonly keepAside: KeepAside;
  /** Follows what calls change on disk, so that it can be taken back. */
  readonly changes?: ChangeTracker;
  readonly loop: LoopSettings;
  /** What is left of the limits of `loop`, unless another one is given. */
  readonly budget: Budget;
  readonly askToGoOn?: (reached: ReachedLimit, signal: AbortSignal) => Promise<boolean>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly parallelWidth: number;
  /** For errors that must not affect a request, such as those of a display callback. */
  readonly log: (message: string, details?: unknown) => void;
}

/** Saves to disk. What it is given is safe when its promise resolves; disk errors don't reject it. */
export interface SessionRecord {
  readonly prompt: (content: Content, requestId: RequestId) => Promise<void>;
  readonly event: (event: AgentEvent) => Promise<void>;
  /** Saves messages that joined the conversation without an event. */
  readonly catchUp: () => Promise<void>;
}

/** A session in memory: for the library, and for tests. */
export function memoryStateManager(
  given: Partial<AgentPorts> & Pick<AgentPorts, "createModel">,
  session?: SessionState,
): StateManager {
  const ports: AgentPorts = {
    fallback: [],
    restingUntil: new Map(),
    tools: [],
    permit: async () => ({ type: "allow" }),
    systemPrompt: async () => "",
    mask: NO_MASK,
    record: { prompt: async () => {}, event: async () => {}, catchUp: async () => {} },
    keepAside: async () => {
      throw new Error("this session is kept in memory only");
    },
    loop: {},
    budget: newBudget(given.loop?.limits),
    clock: systemClock,
    random: Math.random,
    parallelWidth: parallelWidth(process.env),
    log: () => {},
    ...given,
  };
  return { ports, session: session ?? blankSession() };
}

/** TUNACODE_MAX_PARALLEL, by default the number of CPUs. */
export function parallelWidth(env: NodeJS.ProcessEnv): number {
  const given = Number(env["TUNACODE_MAX_PARALLEL"]);
  return Number.isInteger(given) && given > 0 ? given : availableParallelism();
}

function blankSession(): SessionState {
  return newSessionState({
    sessionId: newSessionId(),
    projectId: "",
    workingDirectory: process.cwd(),
    model: "",
    now: new Date().toISOString(),
  });
}
