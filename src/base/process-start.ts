// Starts a process, reads its output, and can end it together with everything it started.
import { endFamily, type Family, MARKER_VARIABLE, markerValue, newFamily } from "./process-family.ts";
import { type OutputPipe, openOutputPipe } from "./process-pipe.ts";
import { startWatcher, watchGroup } from "./process-watcher.ts";
import { runtime } from "./runtime.ts";

export interface StartRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Added to our own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Its standard input, which is empty by default. */
  readonly input?: string;
  /** Ends everything it starts along with it. Needs a new session, the marker and the watcher. */
  readonly family?: boolean;
  /** Ctrl-C in our terminal doesn't reach it. A family never gets one. */
  readonly detached?: boolean;
  readonly onOutput: OutputHandler;
  /** If absent, both outputs go to onOutput in the order they were written. */
  readonly onErrorOutput?: OutputHandler;
}

/** The next piece waits for the promise. "stop" means that enough was read, and ends the process. */
type OutputHandler = (piece: Uint8Array) => OutputVerdict | Promise<OutputVerdict>;
export type OutputVerdict = "stop" | undefined;

export interface RunningProcess {
  readonly exited: Promise<"exited">;
  /** Resolves when a handler returned "stop" or failed. */
  readonly stopped: Promise<"stopped">;
  /** Resolves when everything was read. Rejects with a handler's error. */
  readonly drained: Promise<unknown>;
  readonly piecesRead: () => number;
  readonly exit: () => { readonly exitCode: number | null; readonly signalName: string | null };
  /** Ends it and its family. Returns how many processes were alive. */
  readonly end: () => Promise<number>;
  /** Drops all further output and resolves `stopped`. */
  readonly interrupt: () => void;
  readonly close: () => Promise<void>;
}

export async function startProcess(request: StartRequest): Promise<RunningProcess> {
  const pipe = request.onErrorOutput === undefined ? await openOutputPipe() : null;
  if (request.signal.aborted) {
    pipe?.closeWriteEnd();
    pipe?.closeReadEnd();
    throw request.signal.reason;
  }
  const family = request.family === true ? newFamily() : null;
  if (family !== null) startWatcher();
  const child = spawnChild(request, pipe, family);
  const endWatch = family === null ? () => {} : watchGroup(child.pid);

  const stop = Promise.withResolvers<"stopped">();
  let interrupted = false;
  let pieces = 0;
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  const read = async (stream: ReadableStream<Uint8Array>, handle: OutputHandler) => {
    const reader = stream.getReader();
    readers.push(reader);
    try {
      for (let piece = await reader.read(); !piece.done && !interrupted; piece = await reader.read()) {
        if ((await handle(piece.value)) === "stop") return stop.resolve("stopped");
        pieces++;
      }
    } catch (error) {
      stop.resolve("stopped");
      throw error;
    }
  };
  const drained = Promise.all(
    outputsOf(child, pipe, request).map(([stream, handle]) => read(stream, handle)),
  );
  // Callers await it later; until then a failure would be reported as an unhandled rejection.
  drained.catch(() => {});

  return {
    exited: child.exited.then(() => "exited" as const),
    stopped: stop.promise,
    drained,
    piecesRead: () => pieces,
    exit: () => ({
      exitCode: child.exitCode,
      signalName: typeof child.signalCode === "string" ? child.signalCode : null,
    }),
    end: async () => {
      if (family !== null) return await endFamily(child.pid, family);
      if (child.exitCode !== null || child.signalCode !== null) return 0;
      child.kill("SIGKILL");
      await child.exited;
      return 1;
    },
    interrupt: () => {
      interrupted = true;
      stop.resolve("stopped");
    },
    close: async () => {
      endWatch();
      await Promise.allSettled(readers.map((reader) => reader.cancel()));
      pipe?.closeReadEnd();
    },
  };
}

function spawnChild(request: StartRequest, pipe: OutputPipe | null, family: Family | null) {
  const { argv, cwd, input, env = {} } = request;
  const output = pipe?.writeEnd ?? "pipe";
  try {
    return runtime.spawn([...argv], {
      cwd,
      env: {
        ...process.env,
        ...env,
        ...(family === null ? {} : { [MARKER_VARIABLE]: markerValue(family) }),
      },
      detached: family !== null || request.detached === true,
      stdin: input === undefined ? "ignore" : new TextEncoder().encode(input),
      stdout: output,
      stderr: output,
    });
  } catch (error) {
    pipe?.closeReadEnd();
    throw error;
  } finally {
    // The child has its own copy now, and ours would keep the pipe open forever.
    pipe?.closeWriteEnd();
  }
}

function outputsOf(
  child: ReturnType<typeof spawnChild>,
  pipe: OutputPipe | null,
  { onOutput, onErrorOutput }: StartRequest,
): [ReadableStream<Uint8Array>, OutputHandler][] {
  if (pipe !== null) return [[pipe.output, onOutput]];
  const { stdout, stderr } = child;
  const outputs: [ReadableStream<Uint8Array>, OutputHandler][] = [];
  if (stdout instanceof ReadableStream) outputs.push([stdout, onOutput]);
  if (stderr instanceof ReadableStream) outputs.push([stderr, onErrorOutput ?? onOutput]);
  return outputs;
}
