// runtime.ts for the library: Bun's own parts on Bun, and replacements made of Node's parts on Node. The program
// doesn't contain this file.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { matchesGlob } from "node:path";
import { Readable } from "node:stream";
import { isMainThread, Worker as NodeWorker, parentPort, workerData } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { defined } from "./defined.ts";
import type { runtime } from "./runtime.ts";

type SpawnOptions = Parameters<typeof Bun.spawn>[1] & {
  readonly stdin: "ignore" | Uint8Array;
  readonly stdout: "pipe" | number;
  readonly stderr: "pipe" | number;
};

class FetchSessionOnNode {
  fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    return fetch(input, init);
  }
  /** Node closes idle connections by itself after a few seconds. */
  close(): void {}
}

class GlobOnNode {
  readonly #pattern: string;
  constructor(pattern: string) {
    this.#pattern = pattern;
  }
  match(path: string): boolean {
    return matchesGlob(path, this.#pattern);
  }
}

/** Throws at once if the program can't be started, as Bun does. */
function spawnOnNode([program = "", ...args]: readonly string[], options: SpawnOptions) {
  const { cwd, env, detached, stdin, stdout, stderr } = options;
  const child = spawn(program, args, {
    ...defined({ cwd, env, detached }),
    stdio: [stdin === "ignore" ? "ignore" : "pipe", stdout, stderr],
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve()).once("error", () => resolve());
  });
  if (child.pid === undefined) throw new Error(`${program} can't be started in ${cwd}`);
  if (stdin !== "ignore") {
    // It may end without reading all of it.
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
  }
  return {
    pid: child.pid,
    exited,
    get exitCode() {
      return child.exitCode;
    },
    get signalCode() {
      return child.signalCode;
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    stdout: child.stdout === null ? undefined : Readable.toWeb(child.stdout),
    stderr: child.stderr === null ? undefined : Readable.toWeb(child.stderr),
  };
}

/** For a named pipe opened without blocking: a file stream would fail with EAGAIN, a socket doesn't. */
function fileOnNode(descriptor: number) {
  // The socket closes this descriptor; the given one is closed by its owner.
  const own = () => openSync(`/dev/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK);
  return { stream: () => Readable.toWeb(new Socket({ fd: own(), readable: true, writable: false })) };
}

/** The part of the web's Worker that is used here. */
class WorkerOnNode {
  onmessage: (event: { data: unknown }) => void = () => {};
  onerror: (event: { message: string }) => void = () => {};
  readonly #thread: NodeWorker;
  constructor(url: URL) {
    this.#thread = new NodeWorker(url, { workerData: OUR_WORKER });
    this.#thread.on("message", (data) => this.onmessage({ data }));
    this.#thread.on("error", ({ message }) => this.onerror({ message }));
  }
  postMessage(data: unknown): void {
    this.#thread.postMessage(data);
  }
  terminate(): void {
    void this.#thread.terminate();
  }
}

/** Tidies a page before it is converted; without it the conversion is slower and keeps some clutter. */
class HTMLRewriterOnNode {
  readonly #names: string[] = [];
  on(selector: string): this {
    this.#names.push(...selector.split(/,\s*/));
    return this;
  }
  onDocument(): this {
    return this;
  }
  transform(html: string): string {
    const elements = new RegExp(`<(${this.#names.join("|")})\\b[^>]*>[\\s\\S]*?</\\1\\s*>`, "gi");
    return html.replace(/<!--[\s\S]*?-->/g, "").replace(elements, "");
  }
}

const OUR_WORKER = "tunacode-worker";
const onBun = "Bun" in globalThis;

if (!onBun && !isMainThread && workerData === OUR_WORKER) {
  const self = {
    onmessage: (_event: { data: unknown }) => {},
    postMessage: (data: unknown) => parentPort?.postMessage(data),
  };
  Reflect.set(globalThis, "self", self);
  parentPort?.on("message", (data) => self.onmessage({ data }));
}

const partsOnNode = {
  FetchSession: FetchSessionOnNode,
  Glob: GlobOnNode,
  hash: { crc32 },
  /** Node decides itself when to collect. */
  gc: () => {},
  spawn: spawnOnNode,
  file: fileOnNode,
} satisfies Record<keyof typeof runtime, unknown>;

export const libraryRuntime = onBun ? Bun : partsOnNode;

export function newLibraryHasher(algorithm: "sha256" | "sha1" = "sha256") {
  return onBun ? new Bun.CryptoHasher(algorithm) : createHash(algorithm);
}

/** In the library the worker is JavaScript. */
export function openLibraryWorker({ href }: URL) {
  const url = new URL(href.replace(/\.ts$/, ".js"));
  return onBun ? new Worker(url) : new WorkerOnNode(url);
}

export function newLibraryRewriter() {
  return onBun ? new HTMLRewriter() : new HTMLRewriterOnNode();
}
