// Who writes a summary: the small model if it can, else the conversation's, else one to fall back on.
import { errorMessage } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Model } from "../domain/model.ts";
import { historyTokens } from "../domain/tokens.ts";
import type { CallPorts } from "../loop/metered-call.ts";
import { isUnavailable, type ModelLine } from "../loop/model-line.ts";
import type { LoopPorts, LoopSettings } from "../loop/request-context.ts";
import type { AgentPorts } from "./agent.ts";
import { summariseWith } from "./summarise.ts";

export function summariser(
  line: ModelLine,
  ports: AgentPorts,
  settings: LoopSettings = ports.loop,
): LoopPorts["summarise"] {
  const write = async (model: Model, messages: readonly Message[], call: CallPorts): Promise<string> =>
    ports.mask(await summariseWith(model, settings)(messages, { ...call, clock: ports.clock }));
  return async (messages, call) => {
    const { signal } = call;
    const small = await smallModel(messages, ports);
    try {
      if (small !== null) return await write(small, messages, call);
    } catch (error) {
      if (signal.aborted) throw error;
      ports.log("the small model could not write the summary", errorMessage(error));
    }
    const passed = new Set<ModelName>();
    for (let failure: unknown; ; ) {
      const { model } = await line.choose(passed);
      if (model === null) throw failure;
      try {
        return await write(model, messages, call);
      } catch (error) {
        if (signal.aborted || !isUnavailable(error)) throw error;
        failure ??= error;
        passed.add(model.name);
      }
    }
  };
}

/** Null: there is none, it can't be used, or the messages don't fit into it. */
async function smallModel(messages: readonly Message[], ports: AgentPorts): Promise<Model | null> {
  if (ports.smallModel === undefined) return null;
  try {
    const small = await ports.createModel(ports.smallModel);
    return historyTokens(messages) > (small.contextWindow ?? Number.POSITIVE_INFINITY) ? null : small;
  } catch (error) {
    ports.log("the small model can't be used", errorMessage(error));
    return null;
  }
}
