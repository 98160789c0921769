// A loopback server that speaks four vendors' wire formats and is as strict as they are: it refuses what they
// refuse, in their words, and answers everything else from a script.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isJsonObject, type JsonObject, parseJson } from "../../../src/base/json.ts";
import { type Delivered, deliver, type Reply } from "./deliver.ts";
import { noIssuedItems } from "./issued-items.ts";
import { textOf } from "./json-access.ts";
import { modelsList } from "./models-list.ts";
import { errorReply, jsonReply, turnReply } from "./reply.ts";
import { routeOf } from "./route.ts";
import type { StreamFailure, Turn } from "./turn.ts";
import {
  checkKey,
  type IncomingCall,
  TINY_WINDOW_IN_STREAM,
  type VerdictOptions,
  verdict,
} from "./verdict.ts";
import type { Problem, Wire } from "./wire.ts";

export interface StrictServer {
  readonly url: string;
  /** Every call in order of arrival, including refused ones. */
  readonly requests: readonly RecordedRequest[];
  /** The answers to come, one for each request that is not refused; or a function that makes them. */
  readonly script: (turns: Script) => void;
  readonly stop: () => Promise<void>;
}

export type Script = readonly Turn[] | ((request: RecordedRequest) => Turn);

export interface RecordedRequest {
  readonly wire: Wire;
  readonly path: string;
  readonly model: string;
  readonly headers: Headers;
  readonly text: string;
  /** {} if the body was not a JSON object. */
  readonly body: JsonObject;
  /** Why it was refused; empty if it was accepted. */
  readonly problems: readonly Problem[];
  /** Set when the answer is over. */
  delivered?: Delivered;
}

export interface StrictServerOptions extends VerdictOptions {
  readonly script?: Script;
  readonly models?: readonly string[];
}

export async function startStrictServer(options: StrictServerOptions = {}): Promise<StrictServer> {
  const requests: RecordedRequest[] = [];
  const issued = noIssuedItems();
  let script = options.script ?? [];
  let turnsTaken = 0;
  const nextTurn = (request: RecordedRequest): Turn => {
    const turn = typeof script === "function" ? script(request) : script[turnsTaken++];
    return turn ?? { kind: "refuse", status: 400, message: "strict-llm-server: the script has no turn left" };
  };
  const take = (turn: Turn, call: IncomingCall) =>
    turn.kind === "close" ? turn.kind : turnReply(turn, call, issued);
  const refusal = (problem: Problem, call: IncomingCall): Reply => {
    const failure = lateOverflow(problem, call);
    if (failure === undefined) return errorReply(call.wire, problem);
    return turnReply({ kind: "answer", parts: [], failure }, call, issued);
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(incoming, options);
    if ("pieces" in call) {
      await deliver(response, call);
      return;
    }
    const { wire, model, headers, text, body } = call;
    const problems = verdict(call, options, issued);
    const record: RecordedRequest = { wire, path: call.url.pathname, model, headers, text, body, problems };
    requests.push(record);
    const reply = problems[0] === undefined ? take(nextTurn(record), call) : refusal(problems[0], call);
    if (reply === "close") incoming.socket.destroy();
    record.delivered = reply === "close" ? "cut" : await deliver(response, reply);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error) => {
      response.writeHead(500).end(`strict-llm-server: ${error instanceof Error ? error.stack : error}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    script: (turns) => {
      script = turns;
      turnsTaken = 0;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function lateOverflow(problem: Problem, call: IncomingCall): StreamFailure | undefined {
  const { wire, model, streams } = call;
  if (wire !== "openai-responses" || model !== TINY_WINDOW_IN_STREAM || !streams) return undefined;
  if (problem.code !== "context_length_exceeded") return undefined;
  return { afterEvents: 2, status: 400, message: problem.message, code: problem.code };
}

/** The call, or the reply if no model is called. */
async function readCall(
  incoming: IncomingMessage,
  options: StrictServerOptions,
): Promise<IncomingCall | Reply> {
  const text = await readText(incoming);
  const url = new URL(incoming.url ?? "/", "http://localhost");
  const headers = headersOf(incoming);
  const route = routeOf(incoming.method ?? "GET", url, headers);
  if (route.kind === "nothing") {
    return jsonReply(404, { error: { message: `Invalid URL (${incoming.method} ${url.pathname})` } });
  }
  const { wire } = route;
  if (route.kind === "models") {
    const problem = checkKey(wire, headers, url, options);
    if (problem !== undefined) return errorReply(wire, problem);
    return jsonReply(200, modelsList(wire, options.models ?? ["strict-model"]));
  }
  const parsed = parseJson(text);
  const body = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  const model = route.model ?? textOf(body["model"]);
  return { wire, model, streams: route.streams ?? body["stream"] === true, headers, url, text, body };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  return headers;
}
