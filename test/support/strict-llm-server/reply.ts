// Turns a scripted turn or a refusal into the bytes to send.
import type { JsonObject } from "../../../src/base/json.ts";
import type { Reply } from "./deliver.ts";
import { EVENT_STREAM, framesOf } from "./frames.ts";
import type { IssuedItems } from "./issued-items.ts";
import { piecesOf, splitBytes } from "./pieces.ts";
import { SPEAKERS } from "./speakers.ts";
import type { Answer, Delivery, RawReply, Refusal } from "./turn.ts";
import type { IncomingCall } from "./verdict.ts";
import type { Problem, Wire } from "./wire.ts";

export function turnReply(turn: Answer | Refusal | RawReply, call: IncomingCall, issued: IssuedItems): Reply {
  switch (turn.kind) {
    case "answer":
      return answerReply(turn, call, issued);
    case "raw":
      return rawReply(turn);
    case "refuse": {
      const message = turn.message ?? `The server answered with ${turn.status}.`;
      const code = turn.code === undefined ? {} : { code: turn.code };
      const problem = { path: "", message, status: turn.status, ...code };
      return errorReply(call.wire, problem, turn.delivery, turn.headers);
    }
  }
}

export function errorReply(
  wire: Wire,
  problem: Problem,
  delivery: Delivery = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const status = problem.status ?? 400;
  return jsonReply(status, SPEAKERS[wire].errorBody(problem, status), delivery, headers);
}

export function jsonReply(
  status: number,
  body: JsonObject,
  delivery: Delivery = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const pieces = piecesOf([JSON.stringify(body)], delivery.pieces);
  return { status, headers: { "content-type": "application/json", ...headers }, pieces, delivery };
}

function answerReply(answer: Answer, call: IncomingCall, issued: IssuedItems): Reply {
  const { wire, model, body } = call;
  const { delivery = {}, headers = {}, failure } = answer;
  const context = { model, request: body, issued };
  if (call.streams) {
    const pieces = piecesOf(framesOf(wire, answer, context), delivery.pieces);
    return { status: 200, headers: { ...EVENT_STREAM, ...headers }, pieces, delivery };
  }
  if (failure !== undefined) return errorReply(wire, { path: "", ...failure }, delivery, headers);
  return jsonReply(200, SPEAKERS[wire].whole(answer, context), delivery, headers);
}

function rawReply({ status, headers = {}, body, delivery = {} }: RawReply): Reply {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const pieces = splitBytes(bytes, delivery.pieces);
  return { status, headers, pieces, delivery };
}
