// Bytes to the client, as slowly, as brokenly or as quickly as the script says.
import type { ServerResponse } from "node:http";
import type { Delivery } from "./turn.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly Uint8Array[];
  readonly delivery: Delivery;
}

/** A reset takes away what the client has not read yet, so it gets a moment to read. */
const RESET_AFTER_MS = 20;

export type Delivered = "sent" | "cut" | "client-left";

export async function deliver(response: ServerResponse, reply: Reply): Promise<Delivered> {
  const { delivery } = reply;
  const left = new Promise<void>((resolve) => response.once("close", resolve));
  const wait = (ms: number) => pause(ms, left);
  await wait(delivery.headersAfterMs ?? 0);
  if (response.destroyed) return "client-left";
  response.socket?.setNoDelay(true);
  response.writeHead(reply.status, { ...reply.headers });
  // A client must see the headers before the first byte, however late that is.
  response.flushHeaders();
  const limit = delivery.cut?.atByte ?? Number.POSITIVE_INFINITY;
  const between = betweenPieces(delivery);
  let sent = 0;
  for (const piece of splitAt(reply.pieces, breaksOf(delivery))) {
    if (sent >= limit) break;
    await wait(pauseBefore(delivery, sent));
    if (response.destroyed) return "client-left";
    await write(response, piece, left);
    sent += piece.length;
    await wait(between);
  }
  await wait(pauseBefore(delivery, sent));
  if (response.destroyed) return "client-left";
  if (delivery.cut !== undefined && delivery.cut.how !== "end") {
    if (delivery.cut.how === "close") response.socket?.destroy();
    else {
      await wait(RESET_AFTER_MS);
      response.socket?.resetAndDestroy();
    }
    return "cut";
  }
  response.end();
  return delivery.cut === undefined ? "sent" : "cut";
}

/** Small pieces need a turn of the event loop between them, or they would travel together. */
function betweenPieces({ pieces, betweenPiecesMs }: Delivery): number {
  if (betweenPiecesMs !== undefined) return betweenPiecesMs;
  if (pieces === undefined || pieces === "whole") return 0;
  return pieces === "inside-characters" ? 1 : -1;
}

/** 0: not at all; negative: one turn of the event loop; Infinity: until the client leaves. */
function pause(ms: number, left: Promise<void>): Promise<void> {
  if (ms === 0) return Promise.resolve();
  if (ms < 0) return new Promise((resolve) => setImmediate(resolve));
  if (ms === Number.POSITIVE_INFINITY) return left;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([slept, left]).finally(() => clearTimeout(timer));
}

function write(response: ServerResponse, piece: Uint8Array, left: Promise<void>): Promise<void> {
  const written = new Promise<void>((resolve) => response.write(piece, () => resolve()));
  return Promise.race([written, left]);
}

function pauseBefore(delivery: Delivery, byte: number): number {
  return delivery.pauses?.find((entry) => entry.beforeByte === byte)?.ms ?? 0;
}

/** The bytes at which a pause or a cut falls. */
function breaksOf(delivery: Delivery): number[] {
  const breaks = delivery.pauses?.map((entry) => entry.beforeByte) ?? [];
  if (delivery.cut !== undefined) breaks.push(delivery.cut.atByte);
  return breaks.sort((left, right) => left - right);
}

function* splitAt(pieces: readonly Uint8Array[], breaks: readonly number[]): Generator<Uint8Array> {
  let position = 0;
  for (const piece of pieces) {
    let rest = piece;
    for (const place of breaks) {
      const offset = place - position;
      if (offset <= 0 || offset >= rest.length) continue;
      yield rest.subarray(0, offset);
      rest = rest.subarray(offset);
      position = place;
    }
    yield rest;
    position += rest.length;
  }
}
