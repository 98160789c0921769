// What the four grammars share: how a violation is reported, and the few shapes every vendor spells alike.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** place: a path into the body, as in messages[3].content[0]. */
export type Report = (place: string, problem: string) => void;

export type Check = (body: JsonObject, report: Report, model: string) => void;

export function isFilled(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

export function isWords(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The objects of a list; anything else in it, or no list, is reported. */
export function objectsOf(value: JsonValue | undefined, place: string, report: Report): JsonObject[] {
  if (!Array.isArray(value)) {
    report(place, "must be a list");
    return [];
  }
  return value.filter((item, index) => {
    if (isJsonObject(item)) return true;
    report(`${place}[${index}]`, "must be an object");
    return false;
  });
}

export function checkModel(body: JsonObject, report: Report): void {
  if (!isWords(body["model"])) report("model", "must name a model");
}

export interface NamedTool {
  readonly place: string;
  readonly name: JsonValue | undefined;
  readonly schema: JsonValue | undefined;
}

/** Names fit the pattern and are unique; the parameters are a schema of an object. */
export function checkTools(tools: readonly NamedTool[], namePattern: RegExp, report: Report): void {
  const names = new Set<string>();
  for (const { place, name, schema } of tools) {
    if (typeof name !== "string" || !namePattern.test(name))
      report(place, `must have a name like ${namePattern}`);
    else if (names.has(name)) report(place, `has the same name as another tool: ${name}`);
    else names.add(name);
    if (schema !== undefined && (!isJsonObject(schema) || !/^object$/i.test(String(schema["type"]))))
      report(place, "must take an object as its parameters");
  }
}

export function checkBase64(data: JsonValue | undefined, place: string, report: Report): void {
  if (!isFilled(data) || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    report(place, "must be base64");
}

/** An image as a data URL, or a link to one. */
export function checkImageUrl(
  url: JsonValue | undefined,
  types: readonly string[],
  place: string,
  report: Report,
): void {
  const text = typeof url === "string" ? url : "";
  if (/^https?:\/\//.test(text)) return;
  const head = /^data:([^;,]*);base64,/.exec(text);
  if (head === null) report(place, "must be an http address or a base64 data URL");
  else if (!types.includes(head[1] ?? "")) report(place, `must not be ${head[1]}`);
  else checkBase64(text.slice(head[0].length), place, report);
}
