// The part of zod that the vendors' packages and our tools use, made to be quick: to load, to make a schema, to check one
// value. Schemas accept, refuse and return what zod's do; a test compares them.
import { isJsonObject } from "./json.ts";
import { mismatch, Refusal } from "./refusal.ts";
import { anyOf, type Fields, objectOf, Schema } from "./schema.ts";

const text = () => new Schema((value) => (typeof value === "string" ? value : mismatch("text", value)));
const boolean = () =>
  new Schema((value) => (typeof value === "boolean" ? value : mismatch("a boolean", value)));
const number = () => new Schema((value) => (Number.isFinite(value) ? value : mismatch("a number", value)));
const anything = () => new Schema((value) => value);
const nothing = () => new Schema(() => new Refusal("is never right"));
/** What is checked came out of JSON, so all that is there is JSON. */
const json = () => new Schema((value) => (value === undefined ? mismatch("JSON", value) : value));

function literal(wanted: string | number | boolean | null): Schema {
  const check = (value: unknown) =>
    value === wanted ? value : new Refusal(`expected ${JSON.stringify(wanted)}`, [], true);
  return new Schema(check, { value: wanted });
}

function oneOf(words: readonly string[]): Schema {
  const known = new Set<unknown>(words);
  return new Schema((value) =>
    known.has(value) ? value : new Refusal(`expected one of ${words.join(", ")}`),
  );
}

function array(item: Schema): Schema {
  return new Schema((value) =>
    Array.isArray(value) ? eachOf(value, () => item) : mismatch("a list", value),
  );
}

function tuple(items: readonly Schema[]): Schema {
  return new Schema((value) =>
    Array.isArray(value) && value.length === items.length
      ? eachOf(value, (index) => items[index])
      : mismatch(`a list of ${items.length}`, value),
  );
}

function eachOf(values: readonly unknown[], schemaAt: (index: number) => Schema | undefined): unknown {
  const all: unknown[] = [];
  for (let index = 0; index < values.length; index++) {
    const checked = schemaAt(index)?.check(values[index]);
    if (checked instanceof Refusal) return checked.inside(index);
    all.push(checked);
  }
  return all;
}

function record(key: Schema, item: Schema): Schema {
  return new Schema((value) => {
    if (!isJsonObject(value)) return mismatch("an object", value);
    const all: Record<string, unknown> = {};
    for (const [name, one] of Object.entries(value)) {
      if (name === "__proto__") continue;
      const checkedName = key.check(name);
      const checked = checkedName instanceof Refusal ? checkedName : item.check(one);
      if (checked instanceof Refusal) return checked.inside(name);
      all[String(checkedName)] = checked;
    }
    return all;
  });
}

function intersection(left: Schema, right: Schema): Schema {
  return new Schema((value) => {
    const first = left.check(value);
    if (first instanceof Refusal) return first;
    const second = right.check(value);
    return second instanceof Refusal ? second : together(first, second);
  });
}

/** Two views of one value: each may have left out fields. */
function together(left: unknown, right: unknown): unknown {
  if (!isJsonObject(left) || !isJsonObject(right)) return right;
  const all: Record<string, unknown> = { ...left, ...right };
  for (const key of Object.keys(left))
    if (Object.hasOwn(right, key)) all[key] = together(left[key], right[key]);
  return all;
}

function lazy(make: () => Schema): Schema {
  let made: Schema | undefined;
  return new Schema((value) => {
    made ??= make();
    return made.check(value);
  });
}

export const z = {
  string: text,
  boolean,
  number,
  int: () => number().int(),
  coerce: { number: () => new Schema((value) => number().check(Number(value))) },
  null: () => literal(null),
  literal,
  enum: oneOf,
  any: anything,
  unknown: anything,
  json,
  never: nothing,
  object: (fields: Fields) => objectOf(fields, "left out"),
  looseObject: (fields: Fields) => objectOf(fields, "kept"),
  strictObject: (fields: Fields) => objectOf(fields, "refused"),
  array,
  tuple,
  record,
  partialRecord: record,
  union: anyOf,
  // Their options exclude one another, so the order of trying them is all the same.
  discriminatedUnion: (_field: string, options: readonly Schema[]) => anyOf(options),
  intersection,
  lazy,
};
