// The events of an answer as they leave the server: failures, injected text, keep-alives, line ends.
import { noIssuedItems } from "./issued-items.ts";
import { SPEAKERS } from "./speakers.ts";
import type { Answer, RawReply } from "./turn.ts";
import type { ReplyContext, Wire } from "./wire.ts";

export const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8" };

export function framesOf(wire: Wire, answer: Answer, context: ReplyContext): string[] {
  const speaker = SPEAKERS[wire];
  const { failure, inject, delivery } = answer;
  let frames = speaker.stream(answer, context);
  if (failure !== undefined) {
    frames = [...frames.slice(0, failure.afterEvents), speaker.streamFailure(failure)];
  }
  if (inject !== undefined) {
    frames = frames.flatMap((frame, index) => [
      ...inject.filter((entry) => entry.beforeEvent === index).map((entry) => entry.text),
      frame,
    ]);
  }
  const comment = delivery?.keepAlive;
  if (comment !== undefined) frames = frames.flatMap((frame) => [`: ${comment}\n\n`, frame]);
  const lineEnd = delivery?.lineEnd ?? speaker.lineEnd;
  return lineEnd === "\n" ? frames : frames.map((frame) => frame.replaceAll("\n", lineEnd));
}

/** A stream built once, to be sent many times: for measuring clients without measuring the server. */
export function prebuilt(wire: Wire, answer: Answer, model = "prebuilt"): RawReply {
  const request = { stream_options: { include_usage: true }, include: ["reasoning.encrypted_content"] };
  const frames = framesOf(wire, answer, { model, request, issued: noIssuedItems() });
  return { kind: "raw", status: 200, headers: EVENT_STREAM, body: Buffer.from(frames.join("")) };
}
