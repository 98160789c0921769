// Other agents, measured in the same run where they are installed: PEERS_DIR is a folder with node_modules/.bin in it
// (install-peers.ts makes one), or with the programs themselves. A peer is an entry here: what is started, how it is pointed to the model, and how it
// is kept from looking for updates and reporting to its maker, which would only slow it down. As some do it all the
// same, measure them where there is only the loopback: `unshare -n`, then `ip link set lo up`.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Program } from "./measure.ts";
import { PROMPT } from "./programs.ts";
import type { Workplace } from "./workplace.ts";

interface Peer {
  readonly name: string;
  readonly program: string;
  /** Where npm has it. */
  readonly package?: string;
  readonly args: (baseUrl: string, model: string) => readonly string[];
  readonly env?: (baseUrl: string) => Readonly<Record<string, string>>;
  /** In its home. */
  readonly files?: (baseUrl: string, workplace: Workplace) => Readonly<Record<string, object | string>>;
  /** Its terminal app, and what is on the screen when it can be typed into. */
  readonly app?: { readonly args: readonly string[]; readonly invitation: string };
}

export const CODEX = "Codex";

const MODELS = ["line", "calls-10", "calls-1000", "deltas-20000"];
const withoutVersion = (baseUrl: string) => baseUrl.replace(/\/v1$/, "");

export const PEERS: readonly Peer[] = [
  {
    name: "Claude Code",
    program: "claude",
    package: "@anthropic-ai/claude-code",
    args: (_, model) => ["-p", PROMPT, "--model", model, "--dangerously-skip-permissions"],
    env: (baseUrl) => ({
      ANTHROPIC_BASE_URL: withoutVersion(baseUrl),
      IS_SANDBOX: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    files: (_, { project, env }) => ({
      ".claude.json": {
        hasCompletedOnboarding: true,
        projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
        customApiKeyResponses: { approved: [env["ANTHROPIC_API_KEY"]?.slice(-20)], rejected: [] },
      },
    }),
    app: { args: [], invitation: "❯" },
  },
  {
    name: CODEX,
    program: "codex",
    package: "@openai/codex",
    args: (baseUrl, model) => [
      ...["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", "-m", model],
      ...["-c", "model_provider=mock", "-c", "model_providers.mock.name=mock"],
      ...["-c", `model_providers.mock.base_url=${baseUrl}`, "-c", "model_providers.mock.wire_api=responses"],
      PROMPT,
    ],
    files: (_, { project }) => ({
      ".codex/config.toml": [
        "check_for_update_on_startup = false",
        "[features]\nplugins = false",
        "[analytics]\nenabled = false",
        '[otel]\nmetrics_exporter = "none"',
        `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"`,
      ].join("\n"),
    }),
    app: {
      args: ["-m", "line", "-c", "model_provider=mock", "-c", "model_providers.mock.name=mock"].concat([
        ...["-c", "model_providers.mock.base_url=http://127.0.0.1:9/v1"],
        ...["-c", "model_providers.mock.wire_api=responses"],
      ]),
      invitation: "Ask Codex to do anything",
    },
  },
  {
    name: "opencode",
    program: "opencode",
    package: "opencode-ai",
    args: (_, model) => ["run", "--model", `mock/${model}`, PROMPT],
    env: (baseUrl) => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          mock: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: baseUrl, apiKey: "none" },
            models: Object.fromEntries(MODELS.map((id) => [id, {}])),
          },
        },
      }),
    }),
  },
  {
    name: "pi",
    program: "pi",
    package: "@earendil-works/pi-coding-agent",
    args: (_, model) => ["-p", "--provider", "mock", "--model", model, PROMPT],
    env: () => ({ PI_OFFLINE: "1" }),
    files: (baseUrl) => {
      const models = MODELS.map((id) => ({ id }));
      const mock = { baseUrl, api: "openai-completions", apiKey: "none", models };
      return { ".pi/agent/models.json": { providers: { mock } } };
    },
    app: { args: ["--provider", "mock", "--model", "line"], invitation: "(auto)" },
  },
  {
    name: "Gemini CLI",
    program: "gemini",
    package: "@google/gemini-cli",
    args: (_, model) => ["-p", PROMPT, "--model", model, "--yolo", "--skip-trust"],
    env: (baseUrl) => ({ GOOGLE_GEMINI_BASE_URL: withoutVersion(baseUrl), GEMINI_API_KEY: "none" }),
    files: () => ({
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      },
    }),
  },
  // For the test of this table: an agent that is a script.
  { name: "a fake peer", program: "fake-peer", args: (baseUrl, model) => [baseUrl, model] },
];

/** Those that are there, ready to be measured. */
export function installedPeers(folder: string | undefined, baseUrl: string, workplace: Workplace): Program[] {
  return found(folder).map(({ path, ...peer }) => {
    const env = { ...settle(peer, baseUrl, workplace), ...pathOf(folder) };
    return { name: peer.name, argv: (url, model) => [path, ...peer.args(url, model)], env };
  });
}

export interface TerminalApp {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly invitation: string;
}

export function installedApps(folder: string | undefined, workplace: Workplace): TerminalApp[] {
  return found(folder).flatMap(({ path, ...peer }) => {
    if (peer.app === undefined) return [];
    const env = { ...settle(peer, NO_SERVER, workplace), ...pathOf(folder) };
    return [{ name: peer.name, argv: [path, ...peer.app.args], env, invitation: peer.app.invitation }];
  });
}

/** Nothing is asked of it. */
const NO_SERVER = "http://127.0.0.1:9/v1";

function found(folder: string | undefined): (Peer & { readonly path: string })[] {
  if (folder === undefined || folder === "") return [];
  return PEERS.flatMap((peer) => {
    const places = [join(folder, "node_modules", ".bin", peer.program), join(folder, peer.program)];
    return places
      .filter(existsSync)
      .slice(0, 1)
      .map((path) => ({ ...peer, path }));
  });
}

/** Where install-peers.ts puts a Node that is newer than this machine's. */
export function nodeFolder(folder: string): string {
  return join(folder, "node", "node_modules", "node", "bin");
}

function pathOf(folder = ""): Record<string, string> {
  const node = nodeFolder(folder);
  return existsSync(node) ? { PATH: `${node}:${process.env["PATH"]}` } : {};
}

/** Writes its files, and gives its environment. */
function settle({ env, files }: Peer, baseUrl: string, workplace: Workplace): Record<string, string> {
  for (const [file, content] of Object.entries(files?.(baseUrl, workplace) ?? {})) {
    const path = join(workplace.home, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  return { ...env?.(baseUrl) };
}
