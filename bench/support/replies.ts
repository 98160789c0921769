// What the loopback model answers, for the four wires that agents speak. Built beforehand, as bytes.

export type Wire = "chat" | "responses" | "messages" | "google";

/** A tool as a request describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly parameters: readonly string[];
}

/** How agents' tools that read a file, or run a command, are called: ours, and those that may be measured beside it. */
const READERS = ["read_file", "read", "Read"];
const PATHS = ["filepath", "file_path", "filePath", "absolute_path", "path"];
const COMMANDS: Readonly<Record<string, (path: string) => object>> = {
  shell: (path) => ({ command: ["cat", path] }),
  exec_command: (path) => ({ cmd: `cat ${path}` }),
};

export function textReply(wire: Wire, pieces: readonly string[]): Uint8Array {
  return encode(TEXTS[wire](pieces));
}

/** A call of the first tool among these that reads files. */
export function readReply(
  wire: Wire,
  tools: readonly OfferedTool[],
  path: string,
  number: number,
): Uint8Array {
  const { name, input } = reading(tools, path);
  return encode(CALLS[wire](name, JSON.stringify(input), `call_${number}`));
}

function reading(tools: readonly OfferedTool[], path: string): { name: string; input: object } {
  const command = tools.find(({ name }) => Object.hasOwn(COMMANDS, name))?.name;
  const reader = tools.find(({ name }) => READERS.includes(name));
  if (reader === undefined && command !== undefined)
    return { name: command, input: COMMANDS[command]?.(path) ?? {} };
  // The bare loop offers none, and knows what to do.
  const parameter = PATHS.find((each) => reader?.parameters.includes(each)) ?? "filepath";
  return { name: reader?.name ?? "read_file", input: { [parameter]: path } };
}

const CHUNK = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const choice = (delta: object, finish_reason: string | null = null) => ({
  ...CHUNK,
  choices: [{ index: 0, delta, finish_reason }],
});
const chatEnd = (reason: string) => [
  choice({}, reason),
  { ...CHUNK, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
];
const item = (fields: object) => ({ output_index: 0, item: fields });
const responseEnd = {
  type: "response.completed",
  response: { id: "r", usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
};
const responseStart = { type: "response.created", response: { id: "r", created_at: 1, model: "m" } };
const messageStart = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage: { input_tokens: 10, output_tokens: 1 },
  },
};
const block = (content_block: object) => ({ type: "content_block_start", index: 0, content_block });
const blockDelta = (delta: object) => ({ type: "content_block_delta", index: 0, delta });
const messageEnd = (stop_reason: string) => [
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];

const candidate = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, ...more }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
});

const TEXTS: Readonly<Record<Wire, (pieces: readonly string[]) => readonly object[]>> = {
  chat: (pieces) => [...pieces.map((content) => choice({ content })), ...chatEnd("stop")],
  responses: (pieces) => [
    responseStart,
    {
      type: "response.output_item.added",
      ...item({ type: "message", id: "msg_1", role: "assistant", content: [] }),
    },
    ...pieces.map((delta) => ({
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta,
    })),
    {
      type: "response.output_item.done",
      ...item({
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: pieces.join(""), annotations: [] }],
      }),
    },
    responseEnd,
  ],
  messages: (pieces) => [
    messageStart,
    block({ type: "text", text: "" }),
    ...pieces.map((text) => blockDelta({ type: "text_delta", text })),
    ...messageEnd("end_turn"),
  ],
  google: (pieces) => [
    ...pieces.map((text) => candidate([{ text }])),
    candidate([{ text: "" }], { finishReason: "STOP" }),
  ],
};

const CALLS: Readonly<Record<Wire, (name: string, input: string, id: string) => readonly object[]>> = {
  chat: (name, input, id) => [
    choice({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: input } }] }),
    ...chatEnd("tool_calls"),
  ],
  responses: (name, input, id) => {
    const call = { type: "function_call", id: `fc_${id}`, call_id: id, name };
    return [
      responseStart,
      { type: "response.output_item.added", ...item({ ...call, arguments: "" }) },
      { type: "response.output_item.done", ...item({ ...call, arguments: input, status: "completed" }) },
      responseEnd,
    ];
  },
  messages: (name, input, id) => [
    messageStart,
    block({ type: "tool_use", id, name, input: {} }),
    blockDelta({ type: "input_json_delta", partial_json: input }),
    ...messageEnd("tool_use"),
  ],
  google: (name, input) => [
    candidate([{ functionCall: { name, args: JSON.parse(input) } }], { finishReason: "STOP" }),
  ],
};

function encode(events: readonly object[]): Uint8Array {
  const frames = events.map((event) => {
    const name = "type" in event ? `event: ${event.type}\n` : "";
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return new TextEncoder().encode(frames.join(""));
}
