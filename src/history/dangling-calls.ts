// A call that nothing answers is removed, with the thinking that only led to it: vendors refuse a response that
// ends in thinking.
import type { PartEdit } from "./call-rule.ts";
import type { Pairing, PlacedCall } from "./pairing.ts";

export function danglingCalls({ calls }: Pairing): PartEdit[] {
  const dangling = calls.filter(({ answer }) => answer === null);
  const byMessage = [...Map.groupBy(dangling, ({ at }) => at).values()];
  return [...dangling.map(removeCall), ...byMessage.flatMap(removeThinking)];
}

function removeCall({ at, index, part: { toolCallId, toolName } }: PlacedCall): PartEdit {
  const why = `The call ${toolCallId} of ${toolName} was never answered and is removed.`;
  return { at, index, id: null, repair: { kind: "dangling-call", at, kept: "nothing", why } };
}

/** Of one response: the thinking before its dangling calls that nothing kept comes after. */
function removeThinking(dangling: readonly PlacedCall[]): PartEdit[] {
  const dropped = new Set(dangling.map(({ index }) => index));
  const edits: PartEdit[] = [];
  for (const { at, response } of dangling.slice(0, 1))
    for (let index = response.parts.length - 1, ledToCall = false; index >= 0; index--) {
      if (dropped.has(index)) ledToCall = true;
      else if (ledToCall && response.parts[index]?.kind === "thinking") edits.push({ at, index, id: null });
      else break;
    }
  return edits;
}
