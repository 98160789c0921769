// What a tool's result was, as data: for screens, editors, scripts and whoever resumes the session. The model reads the
// content; nobody else has to.
import type { JsonObject } from "../base/json.ts";

export type ToolDetails =
  /** A command that ran. exitCode null: a signal or its time-out ended it. */
  | {
      readonly type: "command";
      readonly exitCode: number | null;
      readonly signal?: string;
      readonly timedOut?: true;
      readonly sandboxed: boolean;
      /** What it printed, as the model got it, without remarks about how it ended. */
      readonly output: string;
    }
  /** A file that was changed; diff is a unified one, without file headers. */
  | {
      readonly type: "edit";
      readonly path: string;
      readonly diff: string;
      readonly created: boolean;
    }
  /** How much was found or read. */
  | { readonly type: "count"; readonly count: number; readonly of: "line" | "file" | "match" | "entry" }
  /** It was not run, because a rule, the mode or a person said no. unasked: nobody was there to say yes. */
  | { readonly type: "refusal"; readonly by: "rule" | "person"; readonly unasked?: true }
  /** Of tools from elsewhere. */
  | { readonly type: "data"; readonly value: JsonObject };
