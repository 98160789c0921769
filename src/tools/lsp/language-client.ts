// One running language server: starts it, shows it files, collects its diagnostics, ends it.
import type { ChildProcessByStdio } from "node:child_process";
import { EventEmitter, once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { MessageConnection } from "vscode-jsonrpc/node";
import { inTime } from "../../base/abort.ts";
import { defined } from "../../base/defined.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { type Diagnostic, readDiagnostic } from "./diagnostic.ts";
import { type LanguageServer, languageOf } from "./language-servers.ts";

export type ServerProcess = ChildProcessByStdio<Writable, Readable, null>;

const START_MS = 60_000;
const END_MS = 500;
/** A server may publish twice: first what it sees at once, then the results of a deeper analysis. */
const QUIET_MS = 200;
const MOST_OPEN_FILES = 30;

interface Publication {
  readonly count: number;
  readonly version: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

export class LanguageClient {
  readonly #process: ServerProcess;
  readonly #server: LanguageServer;
  readonly #connection: MessageConnection;
  /** The versions of the files the server was shown, by path; the most recent is last. */
  readonly #versions = new Map<string, number>();
  readonly #publications = new Map<string, Publication>();
  /** Emits "change" at every publication and at the end. */
  readonly #changes = new EventEmitter();
  isEnded = false;

  /** Resolves when the server is ready. Its process is ended if that fails. */
  static async start(
    server: LanguageServer,
    spawn: () => ServerProcess,
    root: string,
    signal: AbortSignal,
  ): Promise<LanguageClient> {
    signal.throwIfAborted();
    const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = await import(
      "vscode-jsonrpc/node"
    );
    // No await between spawning and listening: an unhandled error event would end the program.
    const process = spawn();
    const reader = new StreamMessageReader(process.stdout);
    const connection = createMessageConnection(reader, new StreamMessageWriter(process.stdin));
    const client = new LanguageClient(server, process, connection);
    try {
      await client.#initialize(root, AbortSignal.any([signal, AbortSignal.timeout(START_MS)]));
      return client;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  private constructor(server: LanguageServer, process: ServerProcess, connection: MessageConnection) {
    this.#server = server;
    this.#process = process;
    this.#connection = connection;
    const ended = () => {
      this.isEnded = true;
      this.#changes.emit("change");
      connection.dispose();
    };
    process.once("exit", ended);
    process.once("error", ended);
    // When a server goes away its process exits; a broken pipe adds nothing to that.
    process.stdin.on("error", () => {});
    process.stdout.on("error", () => {});
    connection.onError(() => {});
    connection.onNotification("textDocument/publishDiagnostics", (params: unknown) => this.#publish(params));
    // Answers what servers ask an editor for: no settings, no dynamic features, no progress bars.
    connection.onRequest("workspace/configuration", (params: unknown) =>
      isJsonObject(params) && Array.isArray(params["items"]) ? params["items"].map(() => null) : [],
    );
    for (const method of [
      "client/registerCapability",
      "client/unregisterCapability",
      "window/workDoneProgress/create",
    ])
      connection.onRequest(method, () => null);
    connection.listen();
  }

  /** The diagnostics for this text of the file; null if none arrive in time. */
  async check(path: string, text: string, signal: AbortSignal): Promise<readonly Diagnostic[] | null> {
    const before = this.#publications.get(path)?.count ?? 0;
    // A hung server doesn't read its input, so writing to it can block.
    const version = await inTime(this.#show(path, text), signal);
    if (version === null) return null;
    const isNew = () => {
      const found = this.#publications.get(path);
      return found !== undefined && found.count > before && (found.version ?? version) >= version;
    };
    while (!isNew()) if (!(await this.#nextPublication(signal))) return null;
    while (await this.#nextPublication(AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)])));
    return this.#publications.get(path)?.diagnostics ?? null;
  }

  /** Requests a shutdown, closes the server's input, and kills it soon after. */
  async end(): Promise<void> {
    if (this.isEnded) return;
    const exited = new Promise<void>((resolve) => this.#process.once("exit", () => resolve()));
    const asked = this.#connection
      .sendRequest("shutdown")
      .then(() => this.#connection.sendNotification("exit"))
      .catch(() => {});
    await Promise.race([asked, exited, sleep(END_MS)]);
    this.#process.stdin.end();
    await Promise.race([exited, sleep(END_MS)]);
    if (!this.isEnded) this.#process.kill("SIGKILL");
  }

  async #initialize(root: string, signal: AbortSignal): Promise<void> {
    const rootUri = pathToFileURL(root).href;
    const asked = this.#connection.sendRequest("initialize", {
      processId: process.pid,
      clientInfo: { name: "tunacode" },
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "workspace" }],
      capabilities: { textDocument: { publishDiagnostics: { versionSupport: true }, synchronization: {} } },
      ...defined({ initializationOptions: this.#server.initializationOptions }),
    });
    // If the process exits, the connection closes and rejects this request.
    const ready = await inTime(asked, signal);
    if (ready === null) throw new Error(`${this.#server.command} was not ready in time`);
    await this.#connection.sendNotification("initialized", {});
  }

  async #show(path: string, text: string): Promise<number> {
    const uri = pathToFileURL(path).href;
    const version = (this.#versions.get(path) ?? 0) + 1;
    const isOpen = this.#versions.delete(path);
    this.#versions.set(path, version);
    const languageId = languageOf(this.#server, path) ?? "plaintext";
    await (isOpen
      ? this.#notify("didChange", { textDocument: { uri, version }, contentChanges: [{ text }] })
      : this.#notify("didOpen", { textDocument: { uri, languageId, version, text } }));
    // Closes the least recently shown file, because a server keeps open files in memory.
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > MOST_OPEN_FILES && oldest !== undefined) {
      this.#versions.delete(oldest);
      this.#publications.delete(oldest);
      await this.#notify("didClose", { textDocument: { uri: pathToFileURL(oldest).href } });
    }
    return version;
  }

  #notify(what: string, params: JsonObject): Promise<void> {
    return this.#connection.sendNotification(`textDocument/${what}`, params);
  }

  #publish(params: unknown): void {
    if (!isJsonObject(params)) return;
    const { uri, version, diagnostics } = params;
    if (typeof uri !== "string" || !uri.startsWith("file:") || !Array.isArray(diagnostics)) return;
    const path = fileURLToPath(uri);
    // Some servers publish for the whole project; only files that were shown are kept.
    if (!this.#versions.has(path)) return;
    this.#publications.set(path, {
      count: (this.#publications.get(path)?.count ?? 0) + 1,
      version: typeof version === "number" ? version : null,
      diagnostics: diagnostics.flatMap((value: JsonValue) => readDiagnostic(value) ?? []),
    });
    this.#changes.emit("change");
  }

  /** false if the signal came first, or the server is gone. */
  async #nextPublication(signal: AbortSignal): Promise<boolean> {
    if (this.isEnded) return false;
    const published = once(this.#changes, "change", { signal });
    return published.then(
      () => !this.isEnded,
      () => false,
    );
  }
}
