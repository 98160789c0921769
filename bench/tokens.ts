// How much of the model's window the first request takes before anyone has said anything: system prompt and tools.
import { estimateTokens } from "../src/domain/tokens.ts";
import type { Row } from "./bench.ts";
import { measure } from "./support/measure.ts";
import { startModelServer } from "./support/model-server-process.ts";
import { installedPeers } from "./support/peers.ts";
import { buildPrograms, tunacode } from "./support/programs.ts";
import { createWorkplace } from "./support/workplace.ts";

export const name = "tokens";

const TOOLS = 11;
const MOST_TOKENS = 3_000;
/** The fields that the model reads, on all four wires. */
const SAID = ["system", "instructions", "systemInstruction", "messages", "input", "contents", "tools"];

export async function run(): Promise<Row[]> {
  await buildPrograms();
  const server = await startModelServer();
  const workplace = createWorkplace();
  try {
    await measure(tunacode, { server, workplace, model: "line" });
    const { messages, tools } = JSON.parse((await server.seen()).lastBody);
    if (tools.length !== TOOLS) throw new Error(`${tools.length} tools were sent instead of ${TOOLS}.`);
    const tokens = (value: unknown) => estimateTokens(JSON.stringify(value).length);
    const others: Row[] = [];
    for (const peer of installedPeers(process.env["PEERS_DIR"], server.baseUrl, workplace)) {
      await measure(peer, { server, workplace, model: "line" });
      // Some ask for a title, too.
      const { largestBody } = await server.seen();
      const said = SAID.map((key) => JSON.parse(largestBody)[key]).filter((value) => value !== undefined);
      others.push({ name: `first request, ${peer.name}`, value: tokens(said), unit: "tokens" });
    }
    return [
      { name: "first request", value: tokens({ messages, tools }), unit: "tokens", limit: MOST_TOKENS },
      { name: "of that, the eleven tools", value: tokens(tools), unit: "tokens" },
      { name: "of that, the system prompt", value: tokens(messages[0]), unit: "tokens" },
      ...others,
    ];
  } finally {
    server.stop();
    workplace.remove();
  }
}
