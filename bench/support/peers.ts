// Other agents, measured in the same run where they are installed: PEERS_DIR is a folder with node_modules/.bin in it,
// or with the programs themselves. A peer is a line here: what is started, and how it is pointed to the model.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "./measure.ts";
import { PROMPT } from "./programs.ts";

interface Peer {
  readonly name: string;
  readonly program: string;
  readonly args: (baseUrl: string, model: string) => readonly string[];
  readonly env?: (baseUrl: string) => Readonly<Record<string, string>>;
}

const withoutVersion = (baseUrl: string) => baseUrl.replace(/\/v1$/, "");

const PEERS: readonly Peer[] = [
  {
    name: "Claude Code",
    program: "claude",
    args: (_, model) => ["-p", PROMPT, "--model", model, "--dangerously-skip-permissions"],
    env: (baseUrl) => ({ ANTHROPIC_BASE_URL: withoutVersion(baseUrl), IS_SANDBOX: "1" }),
  },
  {
    name: "Codex",
    program: "codex",
    args: (baseUrl, model) => [
      ...["exec", "--skip-git-repo-check", "--full-auto", "-m", model],
      ...["-c", "model_provider=mock", "-c", "model_providers.mock.name=mock"],
      ...["-c", `model_providers.mock.base_url=${baseUrl}`, "-c", "model_providers.mock.wire_api=responses"],
      PROMPT,
    ],
  },
  {
    name: "opencode",
    program: "opencode",
    args: (_, model) => ["run", "--model", `mock/${model}`, PROMPT],
    env: (baseUrl) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          mock: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: baseUrl, apiKey: "none" },
            models: { line: {}, "calls-10": {}, "deltas-20000": {} },
          },
        },
      }),
    }),
  },
  {
    name: "pi",
    program: "pi",
    args: (_, model) => ["-p", "--provider", "openai", "--model", model, PROMPT],
    env: (baseUrl) => ({ OPENAI_BASE_URL: baseUrl }),
  },
  {
    name: "Gemini CLI",
    program: "gemini",
    args: (_, model) => ["-p", PROMPT, "--model", model, "--yolo"],
    env: (baseUrl) => ({ GOOGLE_GEMINI_BASE_URL: withoutVersion(baseUrl), GEMINI_API_KEY: "none" }),
  },
  // For the test of this table: an agent that is a script.
  { name: "a fake peer", program: "fake-peer", args: (baseUrl, model) => [baseUrl, model] },
];

/** Those that are there, ready to be measured. */
export function installedPeers(folder: string | undefined, baseUrl: string): Program[] {
  if (folder === undefined || folder === "") return [];
  return PEERS.flatMap(({ name, program, args, env }) => {
    const path = [join(folder, "node_modules", ".bin", program), join(folder, program)].find(existsSync);
    if (path === undefined) return [];
    return [{ name, argv: (url, model) => [path, ...args(url, model)], ...(env && { env: env(baseUrl) }) }];
  });
}
