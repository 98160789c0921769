// What the four grammars share: what a grammar is, and the few shapes every vendor spells alike.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { BodyReport } from "./report.ts";

/** What a wire demands of a body. */
export interface Grammar {
  /** The field of the body that holds the conversation. */
  readonly list: string;
  /** The conversation may also be a mere text. */
  readonly mayBeText?: true;
  readonly begin: () => BodyCheck;
}

/** The check of one body: its messages in order, then the rest. */
export interface BodyCheck {
  /** The report is where the message is. */
  readonly step: (message: JsonObject, index: number, report: BodyReport) => void;
  /** After the last message: what only the end shows, and the body's other fields. */
  readonly end: (body: JsonObject, model: string, report: BodyReport) => void;
}

/** Visits the objects of a list and says how many there are; anything else in it, or no list, is reported. */
export function eachObject(
  value: JsonValue | undefined,
  place: string,
  report: BodyReport,
  visit: (item: JsonObject, index: number) => void,
): number {
  if (!Array.isArray(value)) {
    report.here(place, "must be a list");
    return 0;
  }
  let objects = 0;
  for (let index = 0; index < value.length; index++) {
    const item: JsonValue = value[index];
    report.enter(place, index);
    if (isJsonObject(item)) {
      objects++;
      visit(item, index);
    } else report.here("", "must be an object");
    report.leave();
  }
  return objects;
}

export function isFilled(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

export function isWords(value: JsonValue | undefined): value is string {
  return typeof value === "string" && /\S/.test(value);
}

export function checkModel(body: JsonObject, report: BodyReport): void {
  if (!isWords(body["model"])) report.here("model", "must name a model");
}

/** A name fits the pattern and is no other tool's; the parameters are a schema of an object. */
export function checkTool(
  name: JsonValue | undefined,
  schema: JsonValue | undefined,
  { names, pattern }: ToolNames,
  report: BodyReport,
): void {
  if (typeof name !== "string" || !pattern.test(name)) report.here("", `must have a name like ${pattern}`);
  else if (names.has(name)) report.here("", `has the same name as another tool: ${name}`);
  else names.add(name);
  if (schema !== undefined && (!isJsonObject(schema) || !/^object$/i.test(String(schema["type"]))))
    report.here("", "must take an object as its parameters");
}

/** The names so far, and what one looks like. */
export interface ToolNames {
  readonly names: Set<string>;
  readonly pattern: RegExp;
}

export function checkBase64(data: JsonValue | undefined, place: string, report: BodyReport): void {
  if (!isFilled(data) || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    report.here(place, "must be base64");
}

/** An image as a data URL, or a link to one. */
export function checkImageUrl(
  url: JsonValue | undefined,
  types: readonly string[],
  place: string,
  report: BodyReport,
): void {
  const text = typeof url === "string" ? url : "";
  if (/^https?:\/\//.test(text)) return;
  const head = /^data:([^;,]*);base64,/.exec(text);
  if (head === null) report.here(place, "must be an http address or a base64 data URL");
  else if (!types.includes(head[1] ?? "")) report.here(place, `must not be ${head[1]}`);
  else checkBase64(text.slice(head[0].length), place, report);
}
