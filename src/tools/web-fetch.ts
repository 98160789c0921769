// web_fetch: one public page as text.
import { errorMessage, ToolError } from "../domain/error.ts";
import type { Tool } from "../domain/tool.ts";
import { defineTool, type Zod } from "./define-tool.ts";
import type { ToolPorts } from "./ports.ts";
import description from "./web-fetch.md" with { type: "text" };

export const DEFAULT_TIMEOUT_SECONDS = 30;
export const MAX_TIMEOUT_SECONDS = 120;
/** The tool's own timeout should come first, because it says more. */
const DEADLINE_MARGIN_MS = 5_000;

export const makeSchema = (z: Zod) =>
  z.object({
    url: z.string().min(1),
    timeout: z.number().positive().max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
  });

export function createWebFetch(ports: Pick<ToolPorts, "network" | "mask">): Tool {
  return defineTool({
    name: "web_fetch",
    kind: "read",
    description,
    makeSchema,
    deadlineMs: MAX_TIMEOUT_SECONDS * 1_000 + DEADLINE_MARGIN_MS,
    async execute({ url, timeout }, context) {
      // Loaded here: HTTP, DNS and decompression together cost more than the rest of the start.
      const { failure, fetchPage, parseUrl } = await import("./fetch-page.ts");
      const start = parseUrl(url);
      const timer = AbortSignal.timeout(timeout * 1_000);
      const signal = AbortSignal.any([context.signal, timer]);
      try {
        return await fetchPage(start, ports, signal);
      } catch (error) {
        context.signal.throwIfAborted();
        if (error instanceof ToolError) throw error;
        if (!timer.aborted) throw failure(`${start.href} could not be fetched: ${errorMessage(error)}`);
        throw failure(
          `${start.href} was not there within ${timeout} s. Try a longer timeout (at most ${MAX_TIMEOUT_SECONDS} s) or another source.`,
        );
      }
    },
  });
}
