// Histories damaged in every way, repaired by prepareHistory and written for every vendor. Neither the gate nor the
// vendor would reject any of the requests.
import { afterAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Message } from "../../src/domain/message.ts";
import { prepareHistory } from "../../src/history/prepare.ts";
import type { Fetch } from "../../src/models/settings.ts";
import { damagedHistory } from "../support/history-damage.ts";
import { judge } from "../support/strict-llm-server/judge.ts";
import { callModel, user, VENDOR_PATHS } from "../support/vendor-path.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const RUNS = LONG ? 100_000 : 500;
const ENOUGH = new Error("seen");

let sent = 0;
afterAll(() =>
  console.log(`${sent} requests from ${RUNS} damaged histories over ${VENDOR_PATHS.length} paths`),
);

for (const path of VENDOR_PATHS)
  test(
    `${path.name}: no damaged history makes a request that is refused`,
    async () => {
      let problems: readonly unknown[] = [];
      const fetch: Fetch = (_, init) => {
        sent++;
        problems = judge(path.wire, JSON.parse(String(init?.body)), path.model);
        return Promise.reject(ENOUGH);
      };
      // `fetch` never connects, so the address doesn't matter.
      const model = await path.create("http://127.0.0.1:1", { fetch, thinking: "low" });
      await fc.assert(
        fc.asyncProperty(damagedHistory, fc.boolean(), async ({ messages }, newMessage) => {
          const prepared = withNews(prepareHistory(messages, { newMessage }).messages, newMessage);
          if (prepared.at(-1)?.kind !== "request") return;
          const { error } = await callModel(model, { messages: prepared });
          // The network fails right after the gate. No other error may occur.
          expect([error?.code, problems, error?.code === "wire_gate" ? error.message : ""]).toEqual([
            "provider_unreachable",
            [],
            "",
          ]);
        }),
        { numRuns: RUNS },
      );
    },
    LONG ? 3_600_000 : 60_000,
  );

function withNews(messages: readonly Message[], newMessage: boolean): readonly Message[] {
  return newMessage ? [...messages, user("And now?")] : messages;
}
