// `provider:model`. The model's own name may hold colons (ollama:qwen3:8b).
import { TunacodeError } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";

interface SplitName {
  readonly provider: string;
  readonly model: string;
}

export function splitModelName(name: ModelName): SplitName {
  const colon = name.indexOf(":");
  const provider = (colon === -1 ? name : name.slice(0, colon)).trim();
  const model = colon === -1 ? "" : name.slice(colon + 1).trim();
  if (provider === "" || model === "")
    throw new TunacodeError(
      "usage",
      `${JSON.stringify(name)} is not a model's name. Write provider:model, for example anthropic:claude-sonnet-5; \`tunacode models\` lists them.`,
    );
  return { provider, model };
}
