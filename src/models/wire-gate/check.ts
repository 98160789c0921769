// What the four grammars share: rules for single fields, and the few shapes that every vendor spells alike.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { BodyReport } from "./report.ts";

type Field = JsonValue | undefined;

/** Whether a field is what it must be, and what is reported if it is not. */
type FieldRule = readonly [isFine: (value: Field) => boolean, problem: string];
export type FieldRules = readonly (readonly [name: string, rule: FieldRule])[];

export const TEXT: FieldRule = [(value) => typeof value === "string", "must be text"];
export const FILLED: FieldRule = [isFilled, "must not be empty"];
export const WORDS: FieldRule = [isWords, "must hold words"];
export const OBJECT: FieldRule = [isJsonObject, "must be an object"];
export const BASE64: FieldRule = [isBase64, "must be base64"];
export const FUNCTION = oneOf("function");

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

export function like(pattern: RegExp): FieldRule {
  return [(value) => typeof value === "string" && pattern.test(value), `must be like ${pattern}`];
}

export function oneOf(...values: readonly JsonValue[]): FieldRule {
  return [(value) => value !== undefined && values.includes(value), `must be ${values.join(" or ")}`];
}

export function optional([isFine, problem]: FieldRule): FieldRule {
  return [(value) => value === undefined || isFine(value), problem];
}

/** Made once, because a body has tens of thousands of objects to check. */
export function fields(rules: Readonly<Record<string, FieldRule>>): FieldRules {
  return Object.entries(rules);
}

/** place: where the object is, seen from where the check is. */
export function checkFields(object: JsonObject, rules: FieldRules, report: BodyReport, place = ""): void {
  for (const [name, [isFine, problem]] of rules)
    if (!isFine(object[name])) report.here(`${place}.${name}`, problem);
}

type Visit = (item: JsonObject, index: number) => void;

/** Visits the objects of a list and says how many there are; anything else in it, or no list, is reported. */
export function eachObject(value: Field, place: string, report: BodyReport, visit: Visit): number {
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

/** The same for a list that must not be empty. */
export function eachOfSome(value: Field, place: string, report: BodyReport, visit: Visit): void {
  if (eachObject(value, place, report, visit) === 0) report.here(place, "must not be empty");
}

export function isFilled(value: Field): value is string {
  return typeof value === "string" && value !== "";
}

export function isWords(value: Field): value is string {
  return typeof value === "string" && /\S/.test(value);
}

function isBase64(value: Field): boolean {
  return isFilled(value) && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

export function checkModel(body: JsonObject, report: BodyReport): void {
  if (!isWords(body["model"])) report.here("model", "must name a model");
}

/** Checks tools one by one: a name fits the pattern and is no other tool's, the parameters are an object's schema. */
export function toolCheck(pattern: RegExp, report: BodyReport): (name: Field, schema: Field) => void {
  const names = new Set<string>();
  return (name, schema) => {
    if (typeof name !== "string" || !pattern.test(name)) report.here("", `must have a name like ${pattern}`);
    else if (names.has(name)) report.here("", `has the same name as another tool: ${name}`);
    else names.add(name);
    if (schema !== undefined && (!isJsonObject(schema) || !/^object$/i.test(String(schema["type"]))))
      report.here("", "must take an object as its parameters");
  };
}

/** An image as a data URL, or a link to one. */
export function checkImageUrl(url: Field, report: BodyReport): void {
  const place = ".image_url";
  const text = typeof url === "string" ? url : "";
  if (/^https?:\/\//.test(text)) return;
  const head = /^data:([^;,]*);base64,/.exec(text);
  if (head === null) report.here(place, "must be an http address or a base64 data URL");
  else if (!IMAGE_TYPES.includes(head[1] ?? "")) report.here(place, `must not be ${head[1]}`);
  else if (!isBase64(text.slice(head[0].length))) report.here(place, "must be base64");
}
