// A limit continues when a session is resumed, so resuming doesn't get around it.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAgent } from "../../src/app/compose.ts";
import { processRequest } from "../../src/app/process-request.ts";
import type { SessionChoice } from "../../src/app/settings.ts";
import type { Limits } from "../../src/domain/limits.ts";
import { scriptedModel } from "../../src/models/scripted.ts";

/** More than a real prompt is estimated at. */
const usage = { requestTokens: 100_000, responseTokens: 1000, cachedTokens: 0 };
const price = { input: 10, output: 0, cacheRead: 0 };

/** One request that reads a file and answers: two model calls, one tool call. */
async function readOnce(folder: string, session: SessionChoice, limits: Limits, delayMs = 0) {
  const read = { call: "read_file", args: { filepath: "a.txt" } };
  const scripted = scriptedModel({
    price,
    turns: (_request, call) => (call === 0 ? [{ delayMs }, read, { usage }] : [{ text: "done" }, { usage }]),
  });
  const agent = await openAgent({
    cwd: folder,
    env: { HOME: folder, XDG_DATA_HOME: join(folder, "data"), XDG_CONFIG_HOME: join(folder, "config") },
    session,
    models: { scripted },
    loop: { limits },
    permission: { mode: "ask", rules: [], sandbox: "off" },
    trusted: false,
    notify: () => {},
  });
  const { outcome } = await processRequest("go", scripted, agent.manager);
  await agent.close();
  return outcome;
}

test.each<[string, Limits]>([
  ["toolCalls", { toolCalls: 1 }],
  ["totalTokens", { totalTokens: 300_000 }],
  ["costDollars", { costDollars: 2.5 }],
])("%s", async (limit, limits) => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-limits-"));
  writeFileSync(join(folder, "a.txt"), "hello\n");
  try {
    expect((await readOnce(folder, { type: "new" }, limits)).type).toBe("completed");
    expect(await readOnce(folder, { type: "continue" }, limits)).toMatchObject({
      type: "limit",
      reached: { limit },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("wallMs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-limits-"));
  writeFileSync(join(folder, "a.txt"), "hello\n");
  const limits = { wallMs: 1900 };
  try {
    expect((await readOnce(folder, { type: "new" }, limits, 1000)).type).toBe("completed");
    // Neither request took that long alone, but both together did.
    expect(await readOnce(folder, { type: "continue" }, limits, 1000)).toMatchObject({
      type: "limit",
      reached: { limit: "wallMs" },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(["journal", "snapshot"])(
  "what is estimated or has no price stays marked, from the %s",
  async (kept) => {
    const folder = mkdtempSync(join(tmpdir(), "tunacode-limits-"));
    const home = {
      HOME: folder,
      XDG_DATA_HOME: join(folder, "data"),
      XDG_CONFIG_HOME: join(folder, "config"),
    };
    const broken = scriptedModel({ turns: () => [{ text: "half" }, { fail: new Error("cut") }] });
    const open = (session: SessionChoice) =>
      openAgent({
        cwd: folder,
        env: home,
        session,
        models: { scripted: broken },
        permission: { mode: "ask", rules: [], sandbox: "off" },
        trusted: false,
        notify: () => {},
      });
    try {
      const agent = await open({ type: "new" });
      await processRequest("go", broken, agent.manager).catch(() => {});
      const { sessionTotal } = agent.manager.session.usage;
      expect(sessionTotal).toMatchObject({ estimated: true, unpriced: true, cost: 0 });
      await agent.close();
      const files = join(folder, "data/tunacode/sessions");
      for (const name of readdirSync(files))
        if (name.endsWith(kept === "journal" ? ".json" : ".jsonl")) rmSync(join(files, name));
      const again = await open({ type: "continue" });
      expect(again.manager.session.usage.sessionTotal).toEqual(sessionTotal);
      await again.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
