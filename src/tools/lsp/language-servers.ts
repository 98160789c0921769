// The supported language servers, and how to find them and their projects.
import { stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import { isWithin } from "../../base/real-path.ts";

export interface LanguageServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Maps a file extension to the protocol's name of the language. */
  readonly languages: Readonly<Record<string, string>>;
  /** The server is started in the nearest folder that contains one of these. */
  readonly projectFiles: readonly string[];
  readonly initializationOptions?: JsonObject;
}

export const LANGUAGE_SERVERS: readonly LanguageServer[] = [
  {
    command: "typescript-language-server",
    args: ["--stdio"],
    languages: {
      ".ts": "typescript",
      ".mts": "typescript",
      ".cts": "typescript",
      ".tsx": "typescriptreact",
      ".js": "javascript",
      ".mjs": "javascript",
      ".cjs": "javascript",
      ".jsx": "javascriptreact",
    },
    projectFiles: ["tsconfig.json", "jsconfig.json", "package.json"],
    // Otherwise it would fetch type packages from the network.
    initializationOptions: { disableAutomaticTypingAcquisition: true },
  },
  { command: "gopls", args: [], languages: { ".go": "go" }, projectFiles: ["go.work", "go.mod"] },
  {
    command: "rust-analyzer",
    args: [],
    languages: { ".rs": "rust" },
    projectFiles: ["Cargo.toml"],
    // Build scripts and macros run code, and a check would hold cargo's lock: an edit must start none of them.
    initializationOptions: {
      checkOnSave: false,
      cargo: { buildScripts: { enable: false } },
      procMacro: { enable: false },
    },
  },
  {
    command: "ruff",
    args: ["server"],
    languages: { ".py": "python", ".pyi": "python" },
    projectFiles: ["pyproject.toml", "ruff.toml", ".ruff.toml", "setup.py"],
  },
  {
    command: "pyright-langserver",
    args: ["--stdio"],
    languages: { ".py": "python", ".pyi": "python" },
    projectFiles: ["pyrightconfig.json", "pyproject.toml", "setup.py"],
  },
];

export function languageOf(server: LanguageServer, path: string): string | undefined {
  return server.languages[extname(path).toLowerCase()];
}

/** The nearest folder above the file that looks like a project of this language, or else the workspace's root. */
export async function projectFolder(server: LanguageServer, path: string, root: string): Promise<string> {
  for (let folder = dirname(path); isWithin(folder, root); folder = dirname(folder)) {
    for (const name of server.projectFiles)
      if ((await stat(join(folder, name)).catch(() => null)) !== null) return folder;
    if (folder === root) break;
  }
  return root;
}
