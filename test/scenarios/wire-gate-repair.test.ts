// A request that our own gate blocks: the finding is in the journal, and one repair is tried. If that doesn't help, the
// person gets a plain error and the session continues.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openAgent } from "../../src/app/compose.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { WireGateError } from "../../src/domain/error.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { tempWorkspace } from "../support/temp-workspace.ts";

const VIOLATION = 'messages[2]: must answer the call "a"';

/** The first `times` calls are blocked. */
async function trial(times: number) {
  using place = tempWorkspace({ "project/a.txt": "a", "home/.keep": "" });
  let calls = 0;
  const model = scriptedModel({
    turns: () => [++calls <= times ? { fail: new WireGateError([VIOLATION]) } : { text: "Here I am." }],
  });
  const agent = await openAgent({
    cwd: place.path("project"),
    env: { HOME: place.path("home") },
    session: { type: "new" },
    models: { scripted: model },
    permission: { mode: "ask", rules: [], sandbox: "off" },
    trusted: false,
    notify: () => {},
  });
  const events: AgentEvent[] = [];
  const outcomes: string[] = [];
  for (const prompt of ["One.", "Two."]) {
    for await (const event of runRequest(prompt, model.name, agent.manager)) {
      events.push(event);
      if (event.type === "request-end")
        outcomes.push(
          event.outcome.type === "failed"
            ? `${event.outcome.code}: ${event.outcome.message}`
            : event.outcome.type,
        );
    }
  }
  const { messages } = agent.manager.session.conversation;
  await agent.close();
  const folder = place.path("home/.local/share/tunacode/sessions");
  const journal = readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "";
  return { outcomes, messages, events, calls, journal: readFileSync(join(folder, journal), "utf8") };
}

test("blocked once: the finding is in the journal, and the repaired request goes through", async () => {
  const { outcomes, events, calls, journal } = await trial(1);
  expect([outcomes, calls]).toEqual([["completed", "completed"], 3]);
  const repairs = events.flatMap((event) => (event.type === "repair" ? event.repairs : []));
  expect(repairs).toContainEqual({ kind: "wire-gate", at: 0, kept: "all", why: VIOLATION });
  expect(journal).toContain(JSON.stringify(VIOLATION).slice(1, -1));
});

test("blocked again: a plain error names the position, and the next request works", async () => {
  const { outcomes, messages, calls, journal } = await trial(2);
  expect(outcomes).toEqual([expect.stringContaining(VIOLATION), "completed"]);
  expect(outcomes[0]).toStartWith("wire_gate: ");
  expect(calls).toBe(3);
  expect(checkHistory(messages)).toEqual([]);
  expect(journal).toContain(JSON.stringify(VIOLATION).slice(1, -1));
});
