// The log of --debug: every event of the request with its time, in a file whose path is printed.
import { join } from "node:path";
import { secretValues } from "../app/keys.ts";
import { type Log, openLog } from "../base/log.ts";
import { createMask } from "../base/secrets.ts";
import { stateHome } from "../base/xdg.ts";
import { errorMessage } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { RequestId } from "../domain/ids.ts";
import { encodeEvent } from "./json.ts";
import type { ConfiguredPlace } from "./place.ts";

export interface DebugLog {
  /** Lines from now on are this request's, until it has ended. */
  readonly begin: (requestId: RequestId) => void;
  readonly event: (event: AgentEvent) => void;
  readonly message: (message: string, details?: unknown) => void;
}

/** Undefined when the log can't be written. The person is told, and the request runs anyway. */
export function openDebugLog(
  { env, variables, loaded }: ConfiguredPlace,
  notify: (text: string) => void,
): DebugLog | undefined {
  const mask = createMask(secretValues(variables, loaded.config.models.providers), { patterns: true });
  let log: Log;
  try {
    log = openLog(join(stateHome(env), "tunacode", "log"), { mask });
  } catch (error) {
    notify(`The log can't be written: ${errorMessage(error)}`);
    return undefined;
  }
  notify(`The log is ${log.path}`);
  const startedAt = performance.now();
  let requestId: RequestId | null = null;
  const write = (entry: Readonly<Record<string, unknown>>) => {
    const ms = Math.round(performance.now() - startedAt);
    log.write({ ...(requestId !== null && { request_id: requestId }), ms, ...entry });
  };
  return {
    begin: (next) => {
      requestId = next;
    },
    event: (event) => {
      write({ event: encodeEvent(event) });
      if (event.type === "request-end") requestId = null;
    },
    message: (message, details) => write({ message, details }),
  };
}
