// Tries a model with one short request, which shows whether the key, the address and the name are right.

import type { ModelName } from "../domain/ids.ts";
import { createModel } from "../models/create-model.ts";
import type { ProviderSources } from "../models/settings.ts";
import { seconds } from "./figures.ts";

const PATIENCE_MS = 60_000;

/** Returns a sentence about the answer. Throws when there is none. */
export async function tryModel(name: ModelName, sources: ProviderSources): Promise<string> {
  const startedAt = performance.now();
  const model = await createModel(name, { ...sources, maxRetries: 1 });
  const request = {
    system: "This is a connection test.",
    messages: [
      { kind: "request", parts: [{ kind: "user-prompt", content: "Answer with the word OK." }] },
    ] as const,
    tools: [],
  };
  for await (const event of model.stream(request, AbortSignal.timeout(PATIENCE_MS)))
    if (event.type === "finish") break;
  return `${name} answered in ${seconds(performance.now() - startedAt)}.`;
}
