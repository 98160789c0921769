// web_fetch: returns one public page as text.
import { z } from "zod";
import { errorMessage, ToolError } from "../domain/error.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import description from "./web-fetch.md" with { type: "text" };

export const DEFAULT_FETCH_SECONDS = 30;
export const MAX_FETCH_SECONDS = 120;
/** The tool's own timeout comes first, because it has the better message. */
const DEADLINE_MARGIN_MS = 5_000;

export const webFetch = defineTool({
  name: "web_fetch",
  kind: "read",
  description,
  schema: z.object({
    url: z.string().min(1),
    timeout: z.number().positive().max(MAX_FETCH_SECONDS).default(DEFAULT_FETCH_SECONDS),
  }),
  deadlineMs: MAX_FETCH_SECONDS * 1_000 + DEADLINE_MARGIN_MS,
  demands: ({ url }) => [{ type: "fetch", host: URL.parse(url)?.hostname ?? "" }],
  ruleTopic: "host",
  label: labelOf("Fetch", "url"),
  question: "May this address be fetched?",
  resultStyle: "count",
  names: { hooks: "WebFetch", editors: "fetch" },
  async execute({ url, timeout }, { signal: stop, grant }, ports) {
    // Loaded on demand: HTTP, DNS and decompression take longer than the rest of the program's start.
    const { failure, fetchPage, parseUrl } = await import("./fetch-page.ts");
    const start = parseUrl(url);
    const timer = AbortSignal.timeout(timeout * 1_000);
    const signal = AbortSignal.any([stop, timer]);
    try {
      return await fetchPage(start, ports, grant.hosts ?? [start.hostname], signal);
    } catch (error) {
      stop.throwIfAborted();
      if (error instanceof ToolError) throw error;
      if (!timer.aborted) throw failure(`${start.href} could not be fetched: ${errorMessage(error)}`);
      throw failure(
        `${start.href} was not there within ${timeout} s. Try a longer timeout (at most ${MAX_FETCH_SECONDS} s) or another source.`,
      );
    }
  },
});
