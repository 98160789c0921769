// Conversations in one line, "user think+call*2 text user", as scenes that every wire format can render.
// A model's calls are answered at once: the returns belong to its scene.
import type { JsonObject } from "../../../../src/base/json.ts";

export type Scene = UserScene | ModelScene;

export interface UserScene {
  readonly kind: "user";
  readonly text: string;
  readonly images: number;
}

export interface ModelScene {
  readonly kind: "model";
  readonly thought?: string;
  readonly text?: string;
  readonly calls: readonly SceneCall[];
}

export interface SceneCall {
  readonly number: number;
  readonly name: string;
  readonly args: JsonObject;
  readonly content: string;
  readonly outcome: "plain" | "error" | "image";
}

export const CONVERSATIONS: readonly string[] = [
  "user",
  "image",
  "user user",
  "image image",
  "user image user",
  "user text user",
  "user text user text user",
  "image text image",
  "user call",
  "user call*2",
  "user call*3",
  "user call*8",
  "user text+call",
  "user text+call*4",
  "user call text user",
  "user call*3 text user",
  "user call call",
  "user call call*2 call",
  "user call*2 text+call call*3 text user",
  "user call text user call text user call text user",
  "user call user",
  "user call*2 user",
  "user call user call",
  "user call image",
  "image call",
  "image call*2 text image call",
  "user think+text user",
  "user think+text user think+text user",
  "user think+call",
  "user think+call*2",
  "user think+text+call",
  "user think+call think+call",
  "user think+call call",
  "user think+call text user think+call",
  "user think+text+call*2 call text user",
  "image think+call*2 think+text user",
  `user${" call".repeat(10)}`,
  `user${" think+call*2".repeat(10)}`,
  `${"user text ".repeat(10)}user`,
  `${"user call text ".repeat(6)}user call*2`,
];

const NAMES = ["read_file", "bash", "list_dir"] as const;
const USER_TEXTS = [
  "Fix the failing test, please.",
  "Was heißt „grün“? 日本語も 👩‍💻 und\n\nneue Zeilen",
  '{"looks": ["like", "json"]}',
  "<tool_call>not a call</tool_call>",
];
const RETURNS = ["ok", "first line\nsecond line", "", "ÄÖÜ 🐟\ttabs", '{"a":1}', "permission denied"];

export function scenesOf(notation: string): Scene[] {
  let calls = 0;
  const words = notation.split(" ");
  return words.map((word, index) => {
    const text = USER_TEXTS[index % USER_TEXTS.length] ?? "";
    if (word === "user" || word === "image")
      return { kind: "user", text, images: word === "image" ? 1 + (index % 2) : 0 };
    const marks = word.split("+");
    const call = marks.find((mark) => mark.startsWith("call"));
    const count = call === undefined ? 0 : Number(call.split("*")[1] ?? 1);
    const list = Array.from({ length: count }, () => sceneCall(calls++));
    return {
      kind: "model",
      ...(marks.includes("think") ? { thought: `I think about step ${index}.\nThen „more“.` } : {}),
      ...(marks.includes("text") ? { text: `Answer ${index}: „gut“ 🐟` } : {}),
      calls: list,
    };
  });
}

function sceneCall(number: number): SceneCall {
  const name = NAMES[number % NAMES.length] ?? "bash";
  const content = RETURNS[number % RETURNS.length] ?? "";
  const args =
    name === "bash" ? { command: `echo "${number} ä"` } : { filepath: `src/${number}.ts`, limit: 5 };
  const outcome = content === "permission denied" ? "error" : number % 7 === 4 ? "image" : "plain";
  return { number, name, args, content, outcome };
}

/** The parameters of the three tools; each has all that any of them takes. */
export const TOOLS = NAMES.map((name) => ({
  name,
  description: `The tool ${name}.`,
  schema: {
    type: "object",
    properties: {
      filepath: { type: "string", description: "A path." },
      command: { type: "string" },
      limit: { type: "integer" },
      names: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    },
    required: [],
    additionalProperties: false,
  },
}));

/** One pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
