// Schemas for property tests: each can be made with any zod, and knows values that fit it, or nearly.
import fc from "fast-check";
import type * as zod from "zod/v4";

type Zod = typeof zod.z;
/** Gives the next of many numbers. */
type Next = () => number;

export interface SchemaDescription {
  readonly make: (z: Zod) => zod.ZodType;
  readonly fitting: (next: Next) => unknown;
}

/** Mostly one that fits. */
export function nearValue({ fitting }: SchemaDescription, next: Next): unknown {
  const value = next() % 5 === 0 ? pick(ODD, next)() : fitting(next);
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

const ODD: readonly (() => unknown)[] = [
  ...[undefined, null, true, 0, -3, 1.5, "", "a", "7x7"].map((value) => () => value),
  ...[() => [], () => ({}), () => [{}], () => ({ type: "a", more: [1] }), () => ["a", "b"]],
];

const KEYS = ["type", "a", "b", "c"] as const;
const WORDS = ["a", "b", "c"] as const;

const leaf = fc.constantFrom<SchemaDescription>(
  { make: (z) => z.string(), fitting: (next) => pick(["", "a", "12x3"], next) },
  { make: (z) => z.string().min(1).max(2), fitting: (next) => pick(["", "a", "abc"], next) },
  { make: (z) => z.string().regex(/^\d+x\d+$/), fitting: (next) => pick(["1x2", "x"], next) },
  { make: (z) => z.number(), fitting: (next) => (next() % 9) - 4.5 },
  { make: (z) => z.number().int().min(-2).max(2), fitting: (next) => ((next() % 9) - 4) / 2 },
  { make: (z) => z.number().gt(1), fitting: (next) => next() % 4 },
  { make: (z) => z.number().positive(), fitting: (next) => (next() % 3) - 1 },
  { make: (z) => z.number().nonnegative(), fitting: (next) => (next() % 3) - 1 },
  { make: (z) => z.coerce.number(), fitting: (next) => pick(["1", 1, "x"], next) },
  { make: (z) => z.boolean(), fitting: (next) => next() % 2 === 0 },
  { make: (z) => z.null(), fitting: () => null },
  { make: (z) => z.literal("a"), fitting: (next) => pick(["a", "b"], next) },
  { make: (z) => z.literal(1), fitting: (next) => next() % 2 },
  { make: (z) => z.enum([...WORDS]), fitting: (next) => pick([...WORDS, "d"], next) },
  { make: (z) => z.any(), fitting: (next) => pick(ODD, next)() },
  { make: (z) => z.unknown(), fitting: (next) => pick(ODD, next)() },
  { make: (z) => z.json(), fitting: (next) => pick(ODD, next)() },
  { make: (z) => z.never(), fitting: () => undefined },
);

export const { schema: generatedSchema } = fc.letrec<{ schema: SchemaDescription }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.tuple(tie("schema"), fc.nat()).map(([inner, way]) => wrapped(inner, way)),
    fc.tuple(fields(tie("schema")), fc.nat()).map(([shape, way]) => object(shape, way)),
    fc.tuple(tie("schema"), tie("schema"), fc.nat()).map(([one, other, way]) => joined(one, other, way)),
    fields(tie("schema")).map(discriminated),
    fc.tuple(fields(tie("schema")), fields(tie("schema"))).map(([one, other]) => intersected(one, other)),
  ),
}));

type Shape = readonly (readonly [string, SchemaDescription])[];

function fields(schema: fc.Arbitrary<SchemaDescription>): fc.Arbitrary<Shape> {
  return fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), schema), {
    selector: ([key]) => key,
    maxLength: KEYS.length,
  });
}

function wrapped({ make, fitting }: SchemaDescription, way: number): SchemaDescription {
  const or = (other: unknown) => (next: Next) => (next() % 3 === 0 ? other : fitting(next));
  const ways: readonly SchemaDescription[] = [
    { make: (z) => make(z).nullish(), fitting: or(null) },
    { make: (z) => make(z).nullish(), fitting: or(undefined) },
    { make: (z) => make(z).optional(), fitting: or(undefined) },
    { make: (z) => make(z).nullable(), fitting: or(null) },
    { make: (z) => make(z).default("filled"), fitting: or(undefined) },
    { make: (z) => make(z).catch("caught"), fitting: or(undefined) },
    { make: (z) => make(z).transform((value) => ({ changed: value })), fitting },
    { make: (z) => make(z).refine((value) => value !== "a"), fitting },
    { make: (z) => make(z).refine((value) => value !== "b", "not b"), fitting },
    { make: (z) => make(z).refine((value) => value !== 0, { message: "not 0" }), fitting },
    { make: (z) => make(z).describe("words"), fitting },
    { make: (z) => make(z).or(z.string()), fitting: or("text") },
    { make: (z) => z.array(make(z)), fitting: (next) => many(next, () => fitting(next)) },
    { make: (z) => z.array(make(z)).min(1), fitting: (next) => many(next, () => fitting(next)) },
    {
      make: (z) => z.tuple([z.number(), z.string()]),
      fitting: (next) => pick([[1, "a"], [1], ["a", 1]], next),
    },
    {
      make: (z) => z.record(z.string(), make(z)),
      fitting: (next) => Object.fromEntries(many(next, () => [pick(KEYS, next), fitting(next)])),
    },
    {
      make: (z) => z.partialRecord(z.enum(["a", "b"]), make(z)),
      fitting: (next) => Object.fromEntries(many(next, () => [pick(["a", "b", "c"], next), fitting(next)])),
    },
    { make: (z) => z.lazy(() => z.array(make(z))), fitting: (next) => many(next, () => fitting(next)) },
  ];
  return pick(ways, () => way);
}

function object(shape: Shape, way: number): SchemaDescription {
  const makers: readonly SchemaDescription["make"][] = [
    (z) => z.object(madeOf(shape, z)),
    (z) => z.looseObject(madeOf(shape, z)),
    (z) => z.strictObject(madeOf(shape, z)),
    (z) => z.object(madeOf(shape, z)).loose(),
    (z) => z.object(madeOf(shape, z)).strict(),
    (z) => z.object({ a: z.null() }).extend(madeOf(shape, z)),
  ];
  return { make: pick(makers, () => way), fitting: (next) => fittingObject(shape, next) };
}

function madeOf(shape: Shape, z: Zod): Record<string, zod.ZodType> {
  return Object.fromEntries(shape.map(([key, { make }]) => [key, make(z)]));
}

function fittingObject(shape: Shape, next: Next): Record<string, unknown> {
  const there = shape.filter(() => next() % 5 !== 0).map(([key, field]) => [key, nearValue(field, next)]);
  return Object.fromEntries(next() % 3 === 0 ? [["more", 1], ...there] : there);
}

function joined(one: SchemaDescription, other: SchemaDescription, way: number): SchemaDescription {
  const either = (next: Next) => (next() % 2 === 0 ? one : other).fitting(next);
  return way % 2 === 0
    ? { make: (z) => z.union([one.make(z), other.make(z)]), fitting: either }
    : { make: (z) => one.make(z).or(other.make(z)), fitting: either };
}

function discriminated(shape: Shape): SchemaDescription {
  const others = shape.filter(([key]) => key !== "type");
  return {
    make: (z) =>
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("a"), ...madeOf(others, z) }),
        z.looseObject({ type: z.literal("b") }),
        z.object({ type: z.enum(["c", "d"]), ...madeOf(others, z) }),
      ]),
    fitting: (next) => ({ ...fittingObject(others, next), type: pick([...WORDS, "d", "e"], next) }),
  };
}

/** As they are used: all that is there, and some of it known more exactly. */
function intersected(one: Shape, other: Shape): SchemaDescription {
  const unchanged = (shape: Shape): Shape => shape.map(([key]) => [key, ANYTHING]);
  const known = unchanged(other);
  return {
    make: (z) => z.intersection(z.record(z.string(), z.json()), z.object(madeOf(known, z))),
    fitting: (next) => ({ ...fittingObject(one, next), ...fittingObject(known, next) }),
  };
}

const ANYTHING: SchemaDescription = {
  make: (z) => z.looseObject({ a: z.number().nullish() }).nullish(),
  fitting: (next) => (next() % 2 === 0 ? { a: next() % 3, b: { c: [] } } : undefined),
};

function many<Item>(next: Next, make: () => Item): Item[] {
  return Array.from({ length: next() % 4 }, make);
}

function pick<Item>(items: readonly Item[], next: Next): Item {
  return items[next() % items.length] as Item;
}
