// The benchmark's table of other agents, tested with a script in place of one: it is found, configured and measured.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure } from "../../bench/support/measure.ts";
import { type ModelServer, startModelServer } from "../../bench/support/model-server-process.ts";
import { installedPeers } from "../../bench/support/peers.ts";
import { createWorkplace } from "../../bench/support/workplace.ts";

const folder = mkdtempSync(join(tmpdir(), "tunacode-peers-"));
const workplace = createWorkplace();
let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer();
  const loop = join(import.meta.dir, "..", "..", "bench", "support", "bare-loop.ts");
  const script = join(folder, "fake-peer");
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${loop}" "$@"\n`);
  chmodSync(script, 0o755);
});

afterAll(() => {
  server.stop();
  workplace.remove();
  rmSync(folder, { recursive: true });
});

test("without a folder of peers there are none", () => {
  expect(installedPeers(undefined, server.baseUrl, workplace)).toEqual([]);
  expect(installedPeers(workplace.project, server.baseUrl, workplace)).toEqual([]);
});

test("an installed peer is measured like the program itself", async () => {
  const [peer, ...others] = installedPeers(folder, server.baseUrl, workplace);
  expect([peer?.name, others]).toEqual(["a fake peer", []]);
  if (peer === undefined) return;
  const line = await measure(peer, { server, workplace, model: "line" });
  expect(line.output).toBe("lorem 0 lorem 1 ");
  expect(line.cpuMs).toBeGreaterThan(0);
  expect(line.peakMb).toBeGreaterThan(5);
  expect(line.firstRequestMs).toBeLessThan(line.wallMs);
  await measure(peer, { server, workplace, model: "calls-3" });
  expect((await server.seen()).requests).toBe(4);
});

test("the loopback model speaks Google's wire, whose address names the model", async () => {
  const ask = async (contents: readonly object[]) => {
    const url = `${new URL(server.baseUrl).origin}/v1beta/models/calls-1:streamGenerateContent?alt=sse`;
    const reader = { name: "read_file", parametersJsonSchema: { properties: { file_path: {} } } };
    const tools = [{ functionDeclarations: [{ name: "write_file" }, reader] }];
    return (await fetch(url, { method: "POST", body: JSON.stringify({ contents, tools }) })).text();
  };
  expect(await ask([{ role: "user", parts: [{ text: "Hi" }] }])).toContain(
    '"functionCall":{"name":"read_file","args":{"file_path":"file-0.txt"}}',
  );
  expect(await ask([{ role: "user", parts: [{ functionResponse: {} }] }])).toContain('"text":"lorem 0 "');
});

test("a program that fails gives no measurement", async () => {
  const broken = { name: "broken", argv: () => ["/bin/sh", "-c", "echo no >&2; exit 3"] };
  await expect(measure(broken, { server, workplace, model: "line" })).rejects.toThrow(
    "broken ended with 3: no",
  );
});
