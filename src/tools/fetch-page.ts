// Fetches one public page for web_fetch. On every hop, name and address are checked before anything connects.

import { isIP } from "node:net";
import { untilAbort } from "../base/abort.ts";
import { outsideText } from "../base/outside-text.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { ToolError } from "../domain/error.ts";
import type { ToolOutput } from "../domain/tool.ts";
import { type HttpReply, httpGet, MAX_INPUT_BYTES } from "./http-get.ts";
import type { ToolPorts } from "./ports.ts";
import { publicNetwork, type WebNetwork } from "./web-address.ts";
import { pageText } from "./web-page.ts";

export const MAX_OUTPUT_BYTES = 100 * 1024;
const MAX_REDIRECTS = 5;

/** `hosts` are those that were permitted. */
export async function fetchPage(
  start: URL,
  { network = publicNetwork, mask }: Pick<ToolPorts, "network" | "mask">,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<ToolOutput> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const addresses = await checkedAddresses(url, network, signal);
    const reply = await httpGet(url, { ...network, addresses, signal });
    if (reply.location === null) return present(url, reply, await pageText(reply, url, signal), mask);
    const next = parseUrl(new URL(reply.location, url).href);
    refuseTarget(next, network);
    // Permission for this host does not extend to another.
    if (!hosts.some((host) => isSameSite(host, next.hostname)))
      return `${url.href} redirects to another host: ${next.href}\nCall web_fetch with that address if you want it.`;
    url = next;
  }
  throw failure(`${start.href} redirects more than ${MAX_REDIRECTS} times.`);
}

export function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null)
    throw failure(`${text} is not a URL. Give a complete one, like https://example.com/page.`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw failure(`${url.protocol} addresses can't be fetched, only http: and https: ones.`);
  if (url.username !== "" || url.password !== "")
    throw failure("URLs with a user name or a password are not fetched. Leave them out.");
  return url;
}

/** The URL's host, without the brackets around a literal IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Throws if the URL's host name or literal address must not be reached. */
function refuseTarget(url: URL, network: WebNetwork): void {
  const host = hostOf(url);
  const reason = isIP(host) === 0 ? network.refuseHostName(host) : network.refuseAddress(host);
  if (reason !== null) throw refused(url, reason);
}

/** All addresses of the name must be public: a private one among them is a trap or a mistake. */
async function checkedAddresses(url: URL, network: WebNetwork, signal: AbortSignal): Promise<string[]> {
  refuseTarget(url, network);
  const host = hostOf(url);
  if (isIP(host) !== 0) return [host];
  // A lookup can't be cancelled, only abandoned.
  const addresses = await untilAbort(network.resolve(host), signal);
  if (addresses.length === 0) throw failure(`${host} has no address.`);
  for (const address of addresses) {
    const reason = network.refuseAddress(address);
    if (reason !== null) throw refused(url, `${host} resolves to ${address}: ${reason}`);
  }
  // IPv4 first: on a network with broken IPv6, waiting for it would use up the timeout.
  return addresses.toSorted((a, b) => isIP(a) - isIP(b));
}

function refused(url: URL, reason: string): ToolError {
  return failure(
    `${url.href} is refused, because web_fetch only reaches public addresses (${reason}). For anything on this machine or network, use bash with curl.`,
  );
}

export function failure(message: string): ToolError {
  return new ToolError(message);
}

function isSameSite(a: string, b: string): boolean {
  const site = (host: string) => host.replace(/^www\./, "");
  return site(a) === site(b);
}

function present(url: URL, reply: HttpReply, whole: string, mask: ToolPorts["mask"]): ToolOutput {
  const shown = firstBytes(whole, MAX_OUTPUT_BYTES);
  const text = mask(stripTerminalControls(shown)).trim();
  const isFailure = reply.status >= 400;
  const remarks = [
    isFailure ? `[The server answered with status ${reply.status}.]` : null,
    reply.isCut ? `[Only the first ${MAX_INPUT_BYTES / 1024 / 1024} MB were read.]` : null,
    shown.length < whole.length ? `[Only the first ${MAX_OUTPUT_BYTES / 1024} KB are shown.]` : null,
  ];
  const page = text === "" ? "(empty)" : outsideText(text, url.href);
  const lines = [url.href, "", page, ...remarks].filter((line) => line !== null);
  const details = { type: "count", count: text.split("\n").length, of: "line" } as const;
  return { content: lines.join("\n"), failed: isFailure, details };
}

function firstBytes(text: string, bytes: number): string {
  const candidate = text.slice(0, bytes);
  if (Buffer.byteLength(candidate) <= bytes) return candidate;
  // The cut may have split the last character.
  return Buffer.from(candidate)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, "");
}
