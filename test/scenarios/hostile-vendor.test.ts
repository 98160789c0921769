// A vendor without measure, on the built binary: whatever it sends too much of, the run ends soon and stays small, and
// what came is kept.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type CopiedBinary, copyBinary } from "../support/binary.ts";
import { startBinary } from "../support/running-binary.ts";

setDefaultTimeout(60_000);

const MEGABYTES = 40;
const MOST_MEMORY_MB = 250;

let binary: CopiedBinary;
beforeAll(async () => {
  binary = await copyBinary();
}, 120_000);
afterAll(() => binary.remove());

const WORDS = "word ".repeat(2_000);
const FLOODS: Readonly<Record<string, (index: number) => string>> = {
  text: () => chunk({ content: WORDS }),
  thoughts: () => chunk({ reasoning_content: WORDS }),
  arguments: (index) =>
    chunk({
      tool_calls: [
        index === 0
          ? { index: 0, id: "a", type: "function", function: { name: "bash", arguments: '{"command":"' } }
          : { index: 0, function: { arguments: WORDS } },
      ],
    }),
  calls: (index) =>
    chunk({
      tool_calls: [
        {
          index,
          id: `a${index}`,
          type: "function",
          function: { name: "bash", arguments: '{"command":":"}' },
        },
      ],
    }),
  "one event": (index) => (index === 0 ? `data: ${WORDS}` : WORDS),
};

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}

/** Floods the first request and answers the others. */
function startVendor(flood: (index: number) => string) {
  const bodies: string[] = [];
  let sent = 0;
  const answer = () => `${chunk({ content: "fine" })}${chunk({}, "stop")}data: [DONE]\n\n`;
  const endless = () => {
    let index = 0;
    return new ReadableStream({
      pull: (controller) => {
        if (sent > MEGABYTES * 1e6) return controller.close();
        const piece = flood(index++);
        sent += piece.length;
        controller.enqueue(piece);
      },
    });
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      bodies.push(await request.text());
      const headers = { "content-type": "text/event-stream" };
      return new Response(bodies.length === 1 ? endless() : answer(), { headers });
    },
  });
  return { server, bodies, sent: () => sent };
}

test.each(Object.keys(FLOODS))("%s", async (name) => {
  const { server, bodies, sent } = startVendor(FLOODS[name] ?? (() => ""));
  const running = startBinary(
    binary.path,
    ["run", "--permission", "read-only", "-m", "openrouter:m/x", "--base-url", `${server.url}v1`, "go"],
    {
      cwd: binary.folder,
      env: { HOME: `${binary.folder}/..`, PATH: "/usr/bin:/bin", OPENROUTER_API_KEY: "key" },
    },
  );
  let mostMemory = 0;
  const looking = setInterval(() => {
    mostMemory = Math.max(mostMemory, memoryOf(running.child.pid ?? 0));
  }, 10);
  const { code, stdout, stderr } = await running.ended;
  clearInterval(looking);
  await server.stop(true);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(sent()).toBeLessThan(MEGABYTES * 1e6);
  expect(mostMemory).toBeLessThan(MOST_MEMORY_MB);
  if (name === "text") expect(stdout.length).toBe(1_000_001);
  else expect(stdout).toContain("fine");
  if (name === "arguments" || name === "calls") expect(bodies[1]).toContain("cut off by the output limit");
});

/** In megabytes; 0 where there is no /proc. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}
