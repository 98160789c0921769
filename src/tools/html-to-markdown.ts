// Converts HTML to Markdown in a worker: parsing a large page takes a second or more, and must neither block the
// program nor outlast an abort.
import { untilAbort } from "../base/abort.ts";
import { openWorker } from "../base/runtime.ts";
import { ToolError } from "../domain/error.ts";

export interface HtmlJob {
  readonly html: string;
  readonly baseUrl: string;
}

export type HtmlOutcome =
  | { readonly ok: true; readonly markdown: string }
  | { readonly ok: false; readonly problem: string };

export async function htmlToMarkdown(job: HtmlJob, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const worker = openWorker(workerUrl());
  const { promise, resolve } = Promise.withResolvers<HtmlOutcome>();
  try {
    worker.onmessage = ({ data }: MessageEvent<HtmlOutcome>) => resolve(data);
    worker.onerror = ({ message }) => resolve({ ok: false, problem: message });
    worker.postMessage(job);
    const outcome = await untilAbort(promise, signal);
    if (outcome.ok) return outcome.markdown;
    throw new ToolError(
      `The page could not be converted (${outcome.problem}). Fetch it with bash and curl, and search the file.`,
    );
  } finally {
    worker.terminate();
  }
}

/** In the binary, files keep their paths in src below one root; in the sources, the worker is beside this file. */
function workerUrl(): URL {
  const isCompiled = import.meta.url.includes("$bunfs");
  return new URL(isCompiled ? "./tools/html-worker.ts" : "./html-worker.ts", import.meta.url);
}
