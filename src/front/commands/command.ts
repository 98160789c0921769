// A command that is typed after a slash, and what it may use.
import type { SessionChoice } from "../../app/settings.ts";
import type { ModelName } from "../../domain/ids.ts";
import type { Choices } from "../choices.ts";
import type { CommandHint, Panel, Tone } from "../contract.ts";
import type { CurrentSession } from "../current-session.ts";
import type { FrontPorts } from "../ports.ts";
import type { RequestQueue } from "../request-queue.ts";

export interface SlashCommand extends CommandHint {
  /** It can loosen permission or take work back: it runs only when the person types it. */
  readonly typedOnly?: true;
  readonly run: (args: string, context: CommandContext) => Promise<void> | void;
}

export interface CommandContext {
  readonly ports: FrontPorts;
  readonly session: CurrentSession;
  readonly queue: RequestQueue;
  readonly say: (text: string, tone?: Tone) => void;
  readonly show: (panel: Panel) => void;
  readonly choose: Choices["ask"];
  /** Puts a prompt that was taken back into the editor. */
  readonly returnPrompt: (text: string) => void;
  readonly openSession: (choice: SessionChoice, model?: ModelName) => Promise<void>;
}
