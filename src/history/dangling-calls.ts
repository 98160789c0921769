// Removes calls without an answer, along with the thinking that led only to them: vendors reject a response that
// ends in thinking.
import type { PartEdit } from "./call-rule.ts";
import type { Pairing, PlacedCall } from "./pairing.ts";

export function danglingCalls({ calls }: Pairing): PartEdit[] {
  const dangling = calls.filter(({ answer }) => answer === null);
  const byResponse = [...Map.groupBy(dangling, ({ at }) => at).values()];
  return [...dangling.map(removeCall), ...byResponse.flatMap(removeThinking)];
}

function removeCall({ at, index, part: { toolName } }: PlacedCall): PartEdit {
  const why = `A call of ${toolName} was never answered and is removed.`;
  return { at, index, id: null, repair: { kind: "dangling-call", at, kept: "nothing", why } };
}

/** Removes thinking before the last dangling call of a response, unless a kept part follows it. */
function removeThinking(dangling: readonly PlacedCall[]): PartEdit[] {
  const last = dangling.at(-1);
  if (last === undefined) return [];
  const { at, response } = last;
  const removed = new Set(dangling.map(({ index }) => index));
  const lastKept = response.parts.findLastIndex(
    ({ kind }, index) => kind !== "thinking" && !removed.has(index),
  );
  return response.parts.flatMap(({ kind }, index) =>
    kind === "thinking" && index > lastKept && index < last.index ? [{ at, index, id: null }] : [],
  );
}
