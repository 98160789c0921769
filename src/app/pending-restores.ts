// Restores that a killed process left unfinished: each is a file of its intent, named after its session.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { dataHome, type Environment } from "../base/xdg.ts";
import type { SessionPaths } from "../session/paths.ts";

export function restoresFolder(env: Environment): string {
  return join(dataHome(env), "tunacode", "restores");
}

/** Whether a session has one. What is there is read once. */
export async function pendingRestores(
  env: Environment,
): Promise<{ readonly count: number; readonly isOf: (paths: SessionPaths) => boolean }> {
  // Without the folder there are none.
  const names = await readdir(restoresFolder(env)).catch(() => []);
  const intents = names.filter((name) => name.endsWith(".json"));
  return {
    count: intents.length,
    isOf: ({ projectId, sessionId }) => intents.some((name) => name.startsWith(`${projectId}_${sessionId}_`)),
  };
}
