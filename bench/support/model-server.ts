// A model on the loopback, in a process of its own so that its work is not counted. What it answers is in the
// model's name: `line`, `calls-10` (ten tool calls, then a line), `deltas-20000`. A gateway's prefix may stand before.
import { inPieces } from "./in-pieces.ts";
import { readReply, textReply, type Wire } from "./replies.ts";
import { fileName } from "./workplace.ts";

const texts = new Map<string, Uint8Array>();
let requests = 0;
let firstAt = 0;
let lastBody = "";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/seen") return Response.json({ requests, firstAt, lastBody });
    if (pathname === "/forget") {
      requests = 0;
      return new Response();
    }
    const wire = wireOf(pathname);
    if (request.method !== "POST" || wire === null) return Response.json({ data: [] });
    if (requests++ === 0) firstAt = performance.timeOrigin + performance.now();
    lastBody = await request.text();
    return new Response(inPieces(answer(wire, lastBody)), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});
console.log(server.port);

function wireOf(path: string): Wire | null {
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.endsWith("/responses")) return "responses";
  return path.endsWith("/messages") ? "messages" : null;
}

function answer(wire: Wire, body: string): Uint8Array {
  const [, kind = "line", number = "0"] = /"model":"[^"]*?(line|calls|deltas)(?:-(\d+))?"/.exec(body) ?? [];
  if (kind === "calls") {
    const answered =
      body.split(/"role":"tool"|"type":"tool_result"|"type":"function_call_output"/).length - 1;
    if (answered < Number(number)) {
      const { tools = [] } = JSON.parse(body);
      const names = tools.map(
        (tool: { name?: string; function?: { name: string } }) => tool.name ?? tool.function?.name,
      );
      return readReply(wire, names, fileName(answered), answered);
    }
  }
  const pieces = kind === "deltas" ? Number(number) : 2;
  const key = `${wire} ${pieces}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const made = textReply(
    wire,
    Array.from({ length: pieces }, (_, index) => `lorem ${index} `),
  );
  texts.set(key, made);
  return made;
}
