// What a person typed in earlier sessions of a project, for the editor's history. Losing a line of it does no harm.
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../base/json.ts";
import type { Mask } from "../base/secrets.ts";
import { type Environment, stateHome } from "../base/xdg.ts";

const MAX_PROMPTS = 1_000;

interface PromptHistory {
  /** The newest comes first, and each text only once. */
  readonly read: () => Promise<string[]>;
  readonly add: (text: string) => Promise<void>;
}

export function promptHistory(env: Environment, projectId: string, mask: Mask): PromptHistory {
  const folder = join(stateHome(env), "tunacode", "prompts");
  const file = join(folder, `${projectId}.jsonl`);
  return {
    read: async () => {
      const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").slice(-MAX_PROMPTS);
      const texts = lines.map((line) => parseJson(line)).map((parsed) => (parsed.ok ? parsed.value : null));
      return [...new Set(texts.filter((text) => typeof text === "string").reverse())];
    },
    add: async (text) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await appendFile(file, `${JSON.stringify(mask(text))}\n`, { mode: 0o600 });
      } catch {
        // The disk is full or read-only, which the session itself reports.
      }
    },
  };
}
