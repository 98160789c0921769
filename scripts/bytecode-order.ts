// Records which functions a short answer uses, and in what order: a second build lays their bytecode out side by side,
// so that the program reads less of itself into memory. The binary answers once for it, from a model on the loopback.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DEADLINE_MS = 30_000;

/** Passes the file with the order to `use`, and removes it afterwards. */
export async function withBytecodeOrder(
  binary: string,
  use: (orderFile: string) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "tunacode-order-"));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) =>
      new Response(replyTo(await request.text()), { headers: { "content-type": "text/event-stream" } }),
  });
  try {
    const orderFile = join(home, "order");
    await answerOnce(binary, `${server.url.origin}/v1`, home, orderFile);
    await use(orderFile);
  } finally {
    await server.stop(true);
    rmSync(home, { recursive: true, force: true });
  }
}

async function answerOnce(binary: string, baseUrl: string, home: string, orderFile: string): Promise<void> {
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, "file.txt"), "a line\n");
  const child = Bun.spawn([binary, "run", "--model", "openai:any", "--base-url", baseUrl, "Say hello."], {
    cwd: project,
    env: { HOME: home, OPENAI_API_KEY: "none", BUN_BYTECODE_ORDER_OUT: orderFile },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: DEADLINE_MS,
  });
  const complaints = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`The new binary can't answer: ${complaints}`);
}

function replyTo(body: string): string {
  const call = { name: "read_file", arguments: '{"filepath":"file.txt"}' };
  const delta = body.includes('"role":"tool"')
    ? { content: "Hello." }
    : { tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] };
  const events = [
    { choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "content" in delta ? "stop" : "tool_calls" }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
}
