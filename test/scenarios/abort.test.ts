// What an abort keeps: finished work, the person's prompts, everything that was shown, and the state of the rest.
import { expect, test } from "bun:test";
import { processRequest } from "../../src/app/process-request.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { UserAbortError } from "../../src/domain/error.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

test("finished returns are kept; running calls have unknown effects, and waiting calls did not run", async () => {
  const controller = new AbortController();
  const results: unknown[] = [];
  let dropped = 0;
  const run = scenario(
    [[{ text: "I begin." }, { call: "read" }, { call: "write" }, { call: "write" }]],
    [
      tool("read", "read", () => "the file"),
      tool("write", "write", () => {
        controller.abort(new UserAbortError());
        return new Promise<string>(() => {});
      }),
    ],
    { onDrop: () => dropped++ },
  );
  const toolResultCallback = (...result: unknown[]) => void results.push(result.slice(0, 2));
  await expect(
    processRequest("go", run.model, run.manager, { toolResultCallback }, { controller }),
  ).rejects.toBeInstanceOf(UserAbortError);
  const { conversation, runtime } = run.manager.session;
  expect(outline(conversation.messages)).toBe(
    "prompt | text call:read call:write call:write | return:read(completed) return:write(cancelled) return:write(cancelled) | interrupted",
  );
  expect(conversation.messages[2]?.parts.map((part) => "content" in part && part.content)).toEqual([
    "the file",
    "Interrupted while it ran. Its effects are unknown: check the state of things before relying on them.",
    "Interrupted before it started: it did not run.",
  ]);
  // The text belongs to a complete response and is not repeated.
  expect(conversation.messages[3]?.parts).toEqual([{ kind: "text", content: "[INTERRUPTED]" }]);
  expect(results).toEqual([
    ["read", "completed"],
    ["write", "cancelled"],
    ["write", "cancelled"],
  ]);
  expect(runtime.toolRegistry.list().map(({ status }) => status)).toEqual([
    "completed",
    "cancelled",
    "cancelled",
  ]);
  expect(dropped).toBe(1);
});

test("the mark is followed by the text so far of the running response only", async () => {
  const run = scenario(
    [
      [{ text: "an earlier answer" }, { call: "t" }],
      [{ text: "the new one, half", deltas: 3 }, { hang: true }],
    ],
    [tool("t", "read", () => "ok")],
  );
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  const { messages, outcome } = await run.ask("go", { controller });
  expect(outcome.type).toBe("aborted");
  expect(messages.at(-1)?.parts).toEqual([{ kind: "text", content: "[INTERRUPTED]\n\nthe new one, half" }]);
});

test("every event is saved before it is passed on", async () => {
  const saved: unknown[] = [];
  const event = async (happened: unknown) => {
    await Bun.sleep(0);
    saved.push(happened);
  };
  const run = scenario([[{ text: "so far" }, { hang: true }]], [], {
    record: { prompt: async () => {}, event, catchUp: async () => {} },
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  for await (const told of runRequest("go", run.model, run.manager, { controller }))
    expect(saved.at(-1)).toBe(told);
  expect(saved.at(-1)).toMatchObject({ type: "request-end", outcome: { type: "aborted" } });
});

test("a tool that throws a UserAbortError stops the request and is not tried again", async () => {
  let attempts = 0;
  const run = scenario(
    [[{ call: "t" }], [{ text: "never asked for" }]],
    [
      tool("t", "read", () => {
        attempts++;
        throw new UserAbortError("the person pressed stop");
      }),
    ],
  );
  const { outcome, messages } = await run.ask("go");
  expect([outcome.type, attempts, run.requests.length]).toEqual(["aborted", 1, 1]);
  expect(outline(messages)).toBe("prompt | call:t | return:t(cancelled) | interrupted");
});

test("a call that is stopped by the time limit or its own deadline returns what was shown of it", async () => {
  const shows = tool(
    "shows",
    "read",
    async (_args, { progress, signal }) => {
      progress("line 1\n");
      progress("line 2\n");
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return "never";
    },
    { deadlineMs: 60_000 },
  );
  for (const [seconds, status] of [
    [10, "cancelled"],
    [100, "failed"],
  ] as const) {
    const run = scenario([[{ call: "shows" }], [{ hang: true }]], [shows], {
      loop: { requestTimeoutSeconds: seconds },
    });
    const { messages } = await run.ask("go");
    const [part] = messages[2]?.parts ?? [];
    expect(part).toMatchObject({ status });
    expect(part?.kind === "tool-return" && String(part.content)).toMatch(
      /^line 1\nline 2\n\[This much of its output was shown\. .*[Ii]ts effects are unknown/,
    );
  }
});

test("an abort before the first step keeps the prompt", async () => {
  const run = scenario([[{ text: "never" }]]);
  const controller = new AbortController();
  controller.abort();
  const { messages, outcome } = await run.ask("my words", { controller });
  expect(outcome.type).toBe("aborted");
  expect(run.requests).toEqual([]);
  expect(JSON.stringify(messages)).toContain("my words");
  expect(checkHistory(messages)).toEqual([]);
});
