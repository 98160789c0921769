// The worker thread that converts HTML to Markdown. It is an entry point of the build.
import Turndown from "turndown";
import { newRewriter } from "../base/runtime.ts";
import { errorMessage } from "../domain/error.ts";
import type { HtmlJob, HtmlOutcome } from "./html-to-markdown.ts";

declare const self: Worker;

const NOT_FOR_READING = "script, style, noscript, template, svg, iframe, object, canvas, button, select, nav";
/** Ten times the most that is returned. Parsing this much takes about a second. */
const MAX_CHARACTERS = 1_000_000;

self.onmessage = ({ data }: MessageEvent<HtmlJob>) => {
  self.postMessage(convert(data));
};

function convert(job: HtmlJob): HtmlOutcome {
  try {
    return { ok: true, markdown: convertHtml(job) };
  } catch (error) {
    // Tens of thousands of nested tags exhaust the stack.
    return { ok: false, problem: errorMessage(error) };
  }
}

function convertHtml({ html, baseUrl }: HtmlJob): string {
  const converter = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  converter.addRule("link", {
    filter: "a",
    replacement: (content, node) => link(content, attribute(node, "href"), baseUrl),
  });
  converter.addRule("image", {
    filter: "img",
    replacement: (_content, node) => {
      const text = oneLine(attribute(node, "alt"));
      return text === "" ? "" : `[image: ${text}]`;
    },
  });
  // The library doesn't support tables.
  converter.addRule("cell", { filter: ["td", "th"], replacement: (content) => ` ${oneLine(content)} |` });
  converter.addRule("row", {
    filter: "tr",
    replacement: (content, node) => `\n|${content}${isFirstRow(node) ? separatorRow(node) : ""}`,
  });
  converter.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  converter.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  return converter
    .turndown(withoutClutter(html).slice(0, MAX_CHARACTERS))
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Runs before parsing, because most of a large page is scripts. */
function withoutClutter(html: string): string {
  return newRewriter()
    .on(NOT_FOR_READING, { element: (element) => void element.remove() })
    .onDocument({ comments: (comment) => void comment.remove() })
    .transform(html);
}

function link(content: string, href: string, baseUrl: string): string {
  const text = oneLine(content);
  if (text === "" || href === "" || href.startsWith("#")) return content;
  const url = URL.parse(href, baseUrl);
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? `[${text}](${url.href})` : content;
}

function isFirstRow(row: Node): boolean {
  const parent = row.parentNode;
  if (parent === null || previousElement(row) !== null) return false;
  return parent.nodeName === "TABLE" || parent.nodeName === "THEAD" || previousElement(parent) === null;
}

function previousElement(node: Node): Node | null {
  let previous = node.previousSibling;
  while (previous?.nodeName.startsWith("#")) previous = previous.previousSibling;
  return previous;
}

function separatorRow(row: Node): string {
  let cells = 0;
  for (let child = row.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeName === "TD" || child.nodeName === "TH") cells++;
  return `\n|${" --- |".repeat(cells)}`;
}

function attribute(node: Node, name: string): string {
  return "getAttribute" in node && typeof node.getAttribute === "function"
    ? (node.getAttribute(name) ?? "")
    : "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
