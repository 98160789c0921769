// The models a person can choose from, those of their newest sessions first.
import { defined } from "../base/defined.ts";
import type { Environment } from "../base/xdg.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Price } from "../domain/usage.ts";
import { type ListedModel, listModels } from "../models/list-models.ts";
import { sessionFolder } from "../session/paths.ts";
import { listSessions } from "../session/store.ts";
import type { AgentSettings } from "./settings.ts";

const SESSIONS_WITH_RECENT_MODELS = 20;

export interface ModelChoice {
  readonly name: ModelName;
  readonly contextWindow?: number;
  readonly price?: Price;
  readonly recent?: boolean;
  /** Why it can't be used here, if so. */
  readonly problem?: string;
}

export async function modelChoices({
  env,
  models,
}: Pick<AgentSettings, "env" | "models">): Promise<readonly ModelChoice[]> {
  const found = await listModels({ ...models, env });
  const recent = await recentModels(env);
  const rank = ({ name }: ListedModel) => (recent.has(name) ? [...recent].indexOf(name) : recent.size);
  const ranked = found.toSorted((one, other) => rank(one) - rank(other));
  return ranked.map(({ name, contextWindow, price, usable, keyNames }) => ({
    name,
    ...(recent.has(name) ? { recent: true } : {}),
    ...defined({ contextWindow, price }),
    ...(usable ? {} : { problem: keyNames.length === 0 ? "not running" : `set ${keyNames[0]}` }),
  }));
}

/** The models of the newest sessions, in any project. */
async function recentModels(env: Environment): Promise<ReadonlySet<ModelName>> {
  const newest = await listSessions(sessionFolder(env), { limit: SESSIONS_WITH_RECENT_MODELS });
  return new Set(newest.map(({ model }) => model));
}
