// Deltas that arrive together are handed on together: whatever a vendor sends, and however it travels, the result is
// the one of a stream that comes an event at a time.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { generatedStream } from "../support/generated-streams.ts";
import { callModel, type Outcome, VENDOR_PATHS } from "../support/vendor-path.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const RUNS = LONG ? 20_000 : 150;

for (const path of VENDOR_PATHS)
  test(
    `${path.name}: in whatever pieces it comes, a stream says the same`,
    async () => {
      let chunks: readonly Uint8Array[] = [];
      const fetch = async () =>
        new Response(new ReadableStream({ start: (controller) => send(controller, chunks) }), {
          headers: { "content-type": "text/event-stream" },
        });
      const model = await path.create("http://127.0.0.1:1", { fetch });
      const outcomeOf = async (delivered: readonly Uint8Array[]) => {
        chunks = delivered;
        return essence(await callModel(model, {}), Buffer.concat(delivered).toString());
      };
      await fc.assert(
        fc.asyncProperty(
          generatedStream(path.wire),
          fc.array(fc.nat(), { maxLength: 4 }),
          async (frames, cuts) => {
            const pieces = split(Buffer.from(frames.join("")), cuts);
            expect(await outcomeOf(pieces)).toEqual(
              await outcomeOf(frames.map((frame) => Buffer.from(frame))),
            );
          },
        ),
        { numRuns: RUNS },
      );
    },
    LONG ? 3_600_000 : 60_000,
  );

test("what came before a connection broke is kept, also an event that came in two pieces", async () => {
  const [path] = VENDOR_PATHS.filter(({ provider }) => provider === "groq");
  const says = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const chunks = [says("a") + says("b") + says("c").slice(0, 9), says("c").slice(9) + says("d") + says("e")];
  const fetch = async () =>
    new Response(
      new ReadableStream({
        pull: async (controller) => {
          const chunk = chunks.shift();
          // The bytes were read, and the break is noticed a little later.
          if (chunk === undefined) await Bun.sleep(20);
          if (chunk === undefined)
            controller.error(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
          else controller.enqueue(Buffer.from(chunk));
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  const model = await path?.create("http://127.0.0.1:1", { fetch });
  if (model === undefined) throw new Error("no chat path");
  const { text, error } = await callModel(model, {});
  expect([text, error?.code]).toEqual(["abcde", "provider_unreachable"]);
});

function send(controller: ReadableStreamDefaultController<Uint8Array>, chunks: readonly Uint8Array[]): void {
  for (const chunk of chunks) controller.enqueue(chunk);
  controller.close();
}

/** In a few pieces, wherever the cuts fall. */
function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((left, right) => left - right);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
}

/** All but how deltas are cut, and ids that are not in the stream. */
function essence({ text, thoughts, response, usage, finish, error }: Outcome, stream: string) {
  const parts = response.parts.map((part) =>
    part.kind === "tool-call" && !stream.includes(part.toolCallId) ? { ...part, toolCallId: "" } : part,
  );
  return { text, thoughts, parts, usage, finish, error: error?.code };
}
