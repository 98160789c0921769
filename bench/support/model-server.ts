// A model on the loopback, in a process of its own so that its work is not counted. What it answers is in the
// model's name: `line`, `calls-10` (ten tool calls, then a line), `deltas-20000`. A gateway's prefix may stand before.
import { inPieces } from "./in-pieces.ts";
import { type OfferedTool, readReply, textReply, type Wire } from "./replies.ts";
import { fileName } from "./workplace.ts";

const texts = new Map<string, Uint8Array>();
let requests = 0;
let firstAt = 0;
let lastBody = "";
let answeredAt = 0;
let pauses: number[] = [];
let largestBody = "";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/seen") return Response.json({ requests, firstAt, lastBody, largestBody, pauses });
    if (pathname === "/forget") {
      requests = 0;
      largestBody = "";
      pauses = [];
      return new Response();
    }
    const wire = wireOf(pathname);
    if (request.method !== "POST" || wire === null) return Response.json({ data: [] });
    const askedAt = performance.now();
    if (requests++ === 0) firstAt = performance.timeOrigin + askedAt;
    else pauses.push(askedAt - answeredAt);
    lastBody = await request.text();
    if (lastBody.length > largestBody.length) largestBody = lastBody;
    const pieces = inPieces(answer(wire, pathname, lastBody));
    answeredAt = performance.now();
    return new Response(pieces, { headers: { "content-type": "text/event-stream" } });
  },
});
console.log(server.port);

function wireOf(path: string): Wire | null {
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.endsWith("/responses")) return "responses";
  if (path.endsWith(":streamGenerateContent")) return "google";
  return path.endsWith("/messages") ? "messages" : null;
}

/** Google's wire names the model in the address. */
const MODEL = /(?:"model":"[^"]*?|\/models\/[^/]*?)(line|calls|deltas)(?:-(\d+))?[":]/;
const ANSWER = /"role":"tool"|"type":"tool_result"|"type":"function_call_output"|"functionResponse":/;

function answer(wire: Wire, path: string, body: string): Uint8Array {
  const [, kind = "line", number = "0"] = MODEL.exec(wire === "google" ? path : body) ?? [];
  if (kind === "calls") {
    const answered = body.split(ANSWER).length - 1;
    if (answered < Number(number))
      return readReply(wire, offered(JSON.parse(body).tools ?? []), fileName(answered), answered);
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

interface SentTool {
  readonly name?: string;
  readonly function?: SentTool;
  readonly functionDeclarations?: readonly SentTool[];
  readonly parameters?: SentSchema;
  readonly parametersJsonSchema?: SentSchema;
  readonly input_schema?: SentSchema;
}

interface SentSchema {
  readonly properties?: object;
}

/** However a wire wraps them. */
function offered(tools: readonly SentTool[]): OfferedTool[] {
  return tools.flatMap((tool): OfferedTool[] => {
    if (tool.functionDeclarations !== undefined) return offered(tool.functionDeclarations);
    if (tool.function !== undefined) return offered([tool.function]);
    const schema = tool.parameters ?? tool.parametersJsonSchema ?? tool.input_schema;
    return [{ name: tool.name ?? "", parameters: Object.keys(schema?.properties ?? {}) }];
  });
}
