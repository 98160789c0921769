// The session that is open, its permission mode and its plan mode: look and think, change nothing, until the person
// has approved a plan.
import type { Person, SessionChoice } from "../app/settings.ts";
import { defined } from "../base/defined.ts";
import type { ModelName } from "../domain/ids.ts";
import { callsOf, hasUserPrompt } from "../domain/message.ts";
import type { PermissionMode } from "../domain/permission.ts";
import type { ShownMessage } from "../domain/summary.ts";
import { historyTokens } from "../domain/tokens.ts";
import type { FrontAgent } from "./agent.ts";
import type { CallDescriptions, ConversationNow, ModelInfo, SessionOpening, Status } from "./contract.ts";
import type { Tell } from "./event-log.ts";
import type { FrontPorts } from "./ports.ts";

interface CurrentSessionParts {
  readonly ports: FrontPorts;
  readonly person: () => Person;
  readonly tell: Tell;
  readonly notify: (text: string) => void;
  readonly onMode: () => void;
}

const PLAN_REMARK =
  "[Plan mode: look around, but change nothing. When you know enough, present your plan with present_plan.]";
const PLAN_IS_OVER = "[Plan mode is over: you may change things again.]";

export class CurrentSession {
  readonly #parts: CurrentSessionParts;
  #agent: FrontAgent | null = null;
  #isPlanning = false;
  #modeBeforePlanning: PermissionMode = "ask";
  #branch: string | null = null;
  /** What happened between two prompts and the model has to know. */
  #untold: readonly string[] = [];

  constructor(parts: CurrentSessionParts) {
    this.#parts = parts;
  }

  readonly agent = (): FrontAgent => {
    if (this.#agent === null) throw new Error("No session is open yet.");
    return this.#agent;
  };

  get isOpen(): boolean {
    return this.#agent !== null;
  }

  get isPlanning(): boolean {
    return this.#isPlanning;
  }

  async open(choice: SessionChoice, model?: ModelName): Promise<void> {
    const { ports, person, tell, notify } = this.#parts;
    const before = this.#agent;
    const agent = await ports.openAgent(choice, person(), { notify, ...defined({ model }) });
    const isCopy = choice.type === "fork" && choice.id === before?.session.id;
    this.#agent = agent;
    this.#untold = [];
    // A copy of a conversation in plan mode is in plan mode, too.
    this.#isPlanning &&= isCopy;
    if (this.#isPlanning) agent.setPermissionMode("read-only");
    tell({ type: "session-opened", ...this.opening(isCopy) });
    if (agent.session.unsentPrompt !== undefined) {
      const text = "Your last prompt was never answered: it is back in the editor.";
      tell({ type: "note", tone: "info", text });
      tell({ type: "returned", text: agent.session.unsentPrompt, unanswered: true });
    }
    await before?.close();
  }

  opening(isCopy = false): SessionOpening {
    const agent = this.agent();
    const { resumed, notices } = agent.session;
    const conversation = this.#conversation();
    return {
      status: this.status(),
      resumed: resumed || conversation.messages.length > 0,
      isCopy,
      notices,
      ...conversation,
      usage: agent.usage(),
    };
  }

  /** After somebody went back, or on with another branch. */
  tellConversation({ isOnScreen }: Pick<ConversationNow, "isOnScreen">): void {
    this.#parts.tell({ type: "conversation-changed", ...this.#conversation(), isOnScreen });
  }

  #conversation(): Omit<ConversationNow, "isOnScreen"> {
    const agent = this.agent();
    const messages = agent.shown();
    return {
      messages,
      contextTokens: historyTokens(agent.messages()),
      descriptions: descriptionsOf(messages, agent),
    };
  }

  status(): Status {
    const agent = this.agent();
    return {
      sessionId: agent.session.id,
      title: agent.title(),
      model: modelInfo(agent.model()),
      standIn: agent.standIn(),
      mode: agent.permissionMode(),
      autoOn: agent.isAutoOn(),
      sandbox: agent.usesSandbox(),
      planning: this.#isPlanning,
      folder: this.#parts.ports.folder,
      branch: this.#branch,
    };
  }

  setMode(mode: PermissionMode, isPlanning = false): void {
    this.agent().setPermissionMode(mode);
    this.#isPlanning = isPlanning;
    this.tellStatus();
    this.#parts.onMode();
  }

  setPlanning(planning: boolean): void {
    if (planning === this.#isPlanning) return;
    if (planning) this.#modeBeforePlanning = this.agent().permissionMode();
    this.setMode(planning ? "read-only" : this.#modeBeforePlanning, planning);
  }

  /** The model is told with the next prompt. */
  remark(text: string): void {
    this.#untold = [...this.#untold, `[${text}]`];
  }

  /** What the model is told with the prompt that is about to be sent. */
  takeRemarks(): readonly string[] {
    const untold = this.#untold;
    this.#untold = [];
    return [...this.#planRemarks(), ...untold];
  }

  #planRemarks(): readonly string[] {
    if (this.#isPlanning) return [PLAN_REMARK];
    // The model goes by the remark until it is told otherwise, in a resumed conversation too.
    const last = this.agent().messages().findLast(hasUserPrompt);
    const wasPlanning = last?.parts.some(
      (part) => part.kind === "retry-prompt" && part.content === PLAN_REMARK,
    );
    return wasPlanning ? [PLAN_IS_OVER] : [];
  }

  tellStatus(): void {
    this.#parts.tell({ type: "status-changed", status: this.status() });
  }

  /** A request may have changed the branch without an event that says so. */
  async refresh(): Promise<void> {
    this.#branch = await this.#parts.ports.gitBranch().catch(() => null);
    if (this.isOpen) this.tellStatus();
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    this.#agent = null;
  }
}

/** A model has functions, which are not data. */
function modelInfo({ name, contextWindow, price }: ModelInfo): ModelInfo {
  return { name, ...defined({ contextWindow, price }) };
}

function descriptionsOf(
  messages: readonly ShownMessage[],
  { describeCall, permissionReviews }: FrontAgent,
): CallDescriptions {
  const reviewed = Map.groupBy(permissionReviews(), ({ toolCallId }) => toolCallId);
  const calls = messages.flatMap((message) => (message.kind === "response" ? callsOf(message) : []));
  return Object.fromEntries(
    calls.flatMap((call) => {
      try {
        const reviews = reviewed.get(call.toolCallId);
        return [[call.toolCallId, { ...describeCall(call), ...defined({ reviews }) }]];
      } catch {
        // A call from a damaged file is shown by its name alone.
        return [];
      }
    }),
  );
}
