// Collects what language servers report about a file that was just edited. This never fails or blocks an edit: a server that
// takes too long continues in the background, ready for the next one. Without an installed server nothing runs.
import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { inTime } from "../../base/abort.ts";
import { isWithin } from "../../base/real-path.ts";
import { findProgram } from "../find-program.ts";
import type { Workspace } from "../ports.ts";
import { displayPath } from "../workspace-path.ts";
import { type Diagnostic, describeDiagnostics } from "./diagnostic.ts";
import { LanguageClient, type ServerProcess } from "./language-client.ts";
import { LANGUAGE_SERVERS, type LanguageServer, languageOf, projectFolder } from "./language-servers.ts";

const WAIT_MS = 2_000;
const IDLE_MS = 5 * 60_000;
const MOST_BYTES = 1024 * 1024;
const MOST_STARTS = 3;

type Client = LanguageClient | null;
type Found = readonly Diagnostic[] | null;

export interface Diagnostics {
  /** null when there is nothing to report. Never rejects. */
  check(path: string, signal: AbortSignal): Promise<string | null>;
  /** Ends every server. */
  close(): Promise<void>;
}

export interface DiagnosticsPorts {
  /** The PATH to search for servers. */
  readonly searchPath: string;
  readonly spawn: (command: string, args: readonly string[], cwd: string) => ServerProcess;
  readonly waitMs?: number;
  readonly idleMs?: number;
}

export const diagnosticsPorts = (environment: NodeJS.ProcessEnv): DiagnosticsPorts => ({
  searchPath: environment["PATH"] ?? "",
  // Its stdin is our pipe, so it ends when this program ends, even by SIGKILL.
  spawn: (command, args, cwd) =>
    spawn(command, [...args], { cwd, env: environment, stdio: ["pipe", "pipe", "ignore"] }),
});

export function createDiagnostics(workspace: Workspace, ports: DiagnosticsPorts): Diagnostics {
  const { waitMs = WAIT_MS, idleMs = IDLE_MS } = ports;
  const clients = new Map<string, Promise<Client>>();
  const starts = new Map<string, number>();
  let idle: NodeJS.Timeout | undefined;
  let closing = new AbortController();

  async function check(path: string, signal: AbortSignal): Promise<string | null> {
    const servers = LANGUAGE_SERVERS.filter((server) => languageOf(server, path) !== undefined);
    if (servers.length === 0 || !isWithin(path, workspace.root)) return null;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    const found = await Promise.all(servers.map((server) => ask(server, path, limit).catch(() => null)));
    clearTimeout(idle);
    if (clients.size > 0) idle = setTimeout(close, idleMs).unref();
    const diagnostics = found.flatMap((each) => each ?? []);
    return describeDiagnostics(displayPath(workspace, path), diagnostics);
  }

  async function ask(server: LanguageServer, path: string, limit: AbortSignal): Promise<Found> {
    const program = await findProgram(server.command, ports.searchPath);
    if (program === null || (await stat(path)).size > MOST_BYTES) return null;
    const root = await projectFolder(server, path, workspace.root);
    const client = await inTime(clientFor(server, program, root), limit);
    return client === null ? null : client.check(path, await readFile(path, "utf8"), limit);
  }

  /** null if the server can't be started here. A server that crashed is restarted, but only a few times. */
  async function clientFor(server: LanguageServer, program: string, root: string): Promise<Client> {
    const key = `${server.command} ${root}`;
    const running = clients.get(key);
    const client = await running;
    if (client === null || (client !== undefined && !client.isEnded)) return client;
    // Another edit may have restarted it in the meantime.
    if (clients.get(key) !== running) return clientFor(server, program, root);
    const count = (starts.get(key) ?? 0) + 1;
    starts.set(key, count);
    const started = count > MOST_STARTS ? Promise.resolve(null) : start(server, program, root);
    clients.set(key, started);
    return started;
  }

  function start(server: LanguageServer, program: string, root: string): Promise<Client> {
    const spawnServer = () => ports.spawn(program, server.args, root);
    // Installed but broken, or meant for another project: the edit continues without it.
    return LanguageClient.start(server, spawnServer, root, closing.signal).catch(() => null);
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    // A server that is still starting is not waited for.
    closing.abort();
    closing = new AbortController();
    const running = [...clients.values()];
    clients.clear();
    starts.clear();
    await Promise.all(running.map(async (client) => (await client)?.end()));
  }

  return { check: (path, signal) => check(path, signal).catch(() => null), close };
}
