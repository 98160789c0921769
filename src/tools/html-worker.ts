// Runs the conversion of HTML in a thread of its own. An entry point of the build.
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
    // Tags nested by the ten thousand exhaust the stack; that is the page's fault, not ours.
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
