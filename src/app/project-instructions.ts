// AGENTS.md and its kin for an agent: read for each request, and the person is told once about each that is refused.

import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { personalFolder } from "../config/paths.ts";
import { isSecret } from "../permission/guarded-paths.ts";
import { type ContextFile, contextFiles } from "../prompt/context-files.ts";
import type { AgentSettings } from "./settings.ts";

export function projectInstructions(
  { cwd, env, prompt, notify }: Pick<AgentSettings, "cwd" | "env" | "prompt" | "notify">,
  root: string,
): () => Promise<readonly ContextFile[]> {
  const told = new Set<string>();
  const places = { ...prompt, configFolder: personalFolder(env), root, cwd, refuse: secretIn(root) };
  return async () => {
    const { files, refused } = await contextFiles(places);
    for (const sentence of refused) {
      if (!told.has(sentence)) notify(sentence);
      told.add(sentence);
    }
    return files;
  };
}

/** A link to a secret inside the project, or a guide file that is one, would send it to the model unasked. */
function secretIn(root: string): (path: string) => string | null {
  return (path) => {
    // Judged as if the project were all there is: the project itself may be in a folder that is secret to others.
    const way = `/${relative(realpathSync(root), path)}`;
    return isSecret(way, "/") || way.split("/").includes(".git") ? "leads to a secret file" : null;
  };
}
