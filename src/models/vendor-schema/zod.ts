// What the vendors' packages get for zod in the built program. They check every event of a stream with it, and making
// zod's schemas takes a tenth of a short answer, a quarter of one by Anthropic. Only what those packages use is here,
// and it accepts, refuses and returns what zod does: a test compares the two, and another says when a new version of a
// package asks for more.
import { anyOf, type Fields, isObject, objectOf, Refusal, Schema } from "./schema.ts";

const text = () => new Schema((value) => (typeof value === "string" ? value : new Refusal("text")));
const boolean = () => new Schema((value) => (typeof value === "boolean" ? value : new Refusal("a boolean")));
const number = () => new Schema((value) => (Number.isFinite(value) ? value : new Refusal("a number")));
const anything = () => new Schema((value) => value);
const nothing = () => new Schema(() => new Refusal("nothing"));
/** What is checked came out of JSON, so all that is there is JSON. */
const json = () => new Schema((value) => (value === undefined ? new Refusal("JSON") : value));

function literal(wanted: string | number | boolean | null): Schema {
  const check = (value: unknown) => (value === wanted ? value : new Refusal(JSON.stringify(wanted)));
  return new Schema(check, { value: wanted });
}

function oneOf(words: readonly string[]): Schema {
  const known = new Set<unknown>(words);
  return new Schema((value) => (known.has(value) ? value : new Refusal(`one of ${words.join(", ")}`)));
}

function array(item: Schema): Schema {
  return new Schema((value) => (Array.isArray(value) ? eachOf(value, () => item) : new Refusal("a list")));
}

function tuple(items: readonly Schema[]): Schema {
  return new Schema((value) =>
    Array.isArray(value) && value.length === items.length
      ? eachOf(value, (index) => items[index])
      : new Refusal(`a list of ${items.length}`),
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
    if (!isObject(value)) return new Refusal("an object");
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
  if (!isObject(left) || !isObject(right)) return right;
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

// What the packages' common part imports by name: for schemas that somebody made with the real zod.
export const safeParseAsync = (schema: Schema, value: unknown) => schema.safeParseAsync(value);
export const config = () => ({});
export const toJSONSchema = () => {
  throw new Error("Tools are described to models by parameters.data.json.");
};
