// The worker thread that converts HTML. It is an entry point of the build.
import { convertHtml } from "./html-conversion.ts";
import type { HtmlJob, HtmlOutcome } from "./html-to-markdown.ts";

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<HtmlJob>) => {
  self.postMessage(convert(data));
};

function convert({ html, baseUrl }: HtmlJob): HtmlOutcome {
  try {
    return { ok: true, markdown: convertHtml(html, baseUrl) };
  } catch (error) {
    // Tens of thousands of nested tags exhaust the stack.
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
