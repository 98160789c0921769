// One HTTP GET to an address that was already checked. The name is not resolved again, so it connects to exactly what
// was checked. Redirects are left to the caller.
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { defined } from "../base/defined.ts";

export const MAX_INPUT_BYTES = 5 * 1024 * 1024;

export interface HttpReply {
  readonly status: number;
  /** Where it redirects to. */
  readonly location: string | null;
  readonly contentType: string;
  readonly body: Buffer;
  /** Whether the body was longer than MAX_INPUT_BYTES. */
  readonly isCut: boolean;
}

interface HttpGetOptions {
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
  readonly certificates?: readonly string[];
}

const HEADERS = {
  "user-agent": "tunacode",
  accept: "text/html, text/markdown, text/plain, application/json, application/xml;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
};

export async function httpGet(
  url: URL,
  { addresses, signal, certificates }: HttpGetOptions,
): Promise<HttpReply> {
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const requestOptions: RequestOptions & { ca?: string[] } = {
    headers: HEADERS,
    signal,
    // A new connection every time: a pooled one might lead to an address that was not checked for this request.
    agent: false,
    lookup: (_host, { all }, callback) => {
      const [first] = found;
      if (all === true) callback(null, found);
      else callback(null, first?.address ?? "", first?.family);
    },
    ...defined({ ca: certificates && [...certificates] }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, requestOptions, resolve).once("error", reject).end();
  });
  try {
    const { statusCode: status = 0, headers } = response;
    const location = status >= 300 && status < 400 ? (headers.location ?? null) : null;
    const body = location === null ? await readBody(response) : NO_BODY;
    return { status, location, contentType: headers["content-type"] ?? "", ...body };
  } finally {
    response.destroy();
  }
}

const NO_BODY = { body: Buffer.alloc(0), isCut: false };

/** Counts bytes after decompression: a few kilobytes can unpack to gigabytes. */
async function readBody(response: IncomingMessage): Promise<{ body: Buffer; isCut: boolean }> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of decompressed(response)) {
    const bytes = Buffer.from(piece as Uint8Array);
    pieces.push(bytes);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES) break;
  }
  return { body: Buffer.concat(pieces).subarray(0, MAX_INPUT_BYTES), isCut: size > MAX_INPUT_BYTES };
}

function decompressed(response: IncomingMessage): AsyncIterable<unknown> {
  const decompress = DECOMPRESSORS[response.headers["content-encoding"]?.trim().toLowerCase() ?? ""];
  if (decompress === undefined) return response;
  const stream = decompress();
  response.once("error", (error) => stream.destroy(error));
  return response.pipe(stream);
}

const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
