// What a tool's result was, as data: for screens, editors, scripts and resumed sessions. Only the model has to read the
// content.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";

export type ToolDetails =
  /** A command that ran. exitCode null: a signal or its time-out ended it. */
  | {
      readonly type: "command";
      readonly exitCode: number | null;
      readonly signal?: string;
      readonly timedOut?: true;
      readonly sandboxed: boolean;
      /** The end of what it printed, without remarks about how it ended. */
      readonly output: string;
      /** How many earlier lines are only in the content. */
      readonly earlierLines?: number;
    }
  /** A file that was changed; diff is a unified one, without file headers. */
  | {
      readonly type: "edit";
      readonly path: string;
      readonly diff: string;
      readonly created: boolean;
    }
  /** How much was found or read. */
  | { readonly type: "count"; readonly count: number; readonly of: "line" | "file" | "match" | "entry" }
  /** It was not run, because a rule, the mode or a person said no. unasked: nobody was there to say yes. */
  | { readonly type: "refusal"; readonly by: "rule" | "person"; readonly unasked?: true }
  /** From tools that are not built in. */
  | { readonly type: "data"; readonly value: JsonObject };

/** They are kept with the conversation, so their length is limited; a long diff stays well under the limit. */
const MAX_CHARACTERS = 200_000;

/** The fields of each kind, with the types or the words they may have. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  command: {
    exitCode: "number null",
    signal: "string undefined",
    timedOut: "boolean undefined",
    sandboxed: "boolean",
    output: "string",
    earlierLines: "number undefined",
  },
  edit: { path: "string", diff: "string", created: "boolean" },
  count: { count: "number", of: ["line", "file", "match", "entry"] },
  refusal: { by: ["rule", "person"], unasked: "boolean undefined" },
  data: { value: "object" },
};

/** Checks details from a file or a library user's tool, which no compiler saw: only valid ones are kept and shown. */
export function areDetails(given: unknown): given is ToolDetails {
  if (!isJsonObject(given) || isTooDeep(given)) return false;
  const { type } = given;
  const shape = typeof type === "string" && Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
  if (shape === undefined || JSON.stringify(given).length > MAX_CHARACTERS) return false;
  return Object.entries(shape).every(([name, wanted]) => {
    const value = given[name];
    if (typeof wanted !== "string") return typeof value === "string" && wanted.includes(value);
    return wanted.split(" ").includes(value === null ? "null" : typeof value);
  });
}

/** The same details with every text changed, to mask keys or strip control sequences. */
export function changeTexts(details: ToolDetails, change: (text: string) => string): ToolDetails {
  switch (details.type) {
    case "command":
      return { ...details, output: change(details.output) };
    case "edit":
      return { ...details, path: change(details.path), diff: change(details.diff) };
    case "count":
    case "refusal":
      return details;
    case "data":
      return { type: "data", value: changeObject(details.value, change) };
  }
}

function changeObject(object: JsonObject, change: (text: string) => string): JsonObject {
  const changed = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return change(value);
    if (Array.isArray(value)) return value.map(changed);
    return isJsonObject(value) ? changeObject(value, change) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, changed(value)]));
}

/** True if the call needed a person's approval and nobody was there. */
export function wasUnasked(details: ToolDetails | undefined): boolean {
  return details?.type === "refusal" && details.unasked === true;
}
