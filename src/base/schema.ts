// A check of one value, with zod's methods and zod's rules, as far as anybody here asks for them. A check gives the
// value as the schema has it (fields it doesn't know left out, defaults filled in), or says what is wrong and where.
import { isJsonObject } from "./json.ts";
import { mismatch, Refusal } from "./refusal.ts";

export type Check = (value: unknown) => unknown;
export type Fields = Readonly<Record<string, Schema>>;

/** What a schema makes of a field that isn't there. */
const ABSENCES = ["refused", "allowed", "filled in"] as const;
type Absence = (typeof ABSENCES)[number];

interface Traits {
  readonly absence?: Absence;
  /** What it gives may be nothing, too. */
  readonly givesNothing?: boolean;
  /** Of an object: its fields. */
  readonly shape?: Fields;
  /** Of a choice: what there is to choose from. */
  readonly options?: readonly Schema[];
  /** Of a literal: itself. */
  readonly value?: unknown;
}

const OPTIONAL: Traits = { absence: "allowed", givesNothing: true };

type Result =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: Error };

/** The vendors' packages ask a schema for this before they use it. */
const STANDARD = { version: 1, vendor: "zod" };

export class Schema {
  readonly "~standard" = STANDARD;
  readonly check: Check;
  readonly absence: Absence;
  readonly givesNothing: boolean;
  readonly shape: Fields;
  readonly options: readonly Schema[];
  readonly value: unknown;

  constructor(check: Check, traits: Traits = {}) {
    this.check = check;
    this.absence = traits.absence ?? "refused";
    this.givesNothing = traits.givesNothing ?? false;
    this.shape = traits.shape ?? {};
    this.options = traits.options ?? [];
    this.value = traits.value;
  }

  optional(): Schema {
    const { check } = this;
    if (this.absence !== "filled in")
      return new Schema((value) => (value === undefined ? undefined : check(value)), OPTIONAL);
    const checkOrNothing = (value: unknown) => {
      const checked = check(value);
      return value === undefined && checked instanceof Refusal ? undefined : checked;
    };
    return new Schema(checkOrNothing, { absence: "filled in", givesNothing: true });
  }

  nullable(): Schema {
    return this.#changed((check, value) => (value === null ? null : check(value)));
  }

  nullish(): Schema {
    return this.nullable().optional();
  }

  default(filling: unknown): Schema {
    const { check } = this;
    const checkOrFill = (value: unknown) => {
      const checked = value === undefined ? undefined : check(value);
      return checked === undefined ? filling : checked;
    };
    return new Schema(checkOrFill, { absence: "filled in" });
  }

  catch(filling: unknown): Schema {
    const { check, absence, givesNothing } = this;
    const checkOrFill = (value: unknown) => {
      const checked = check(value);
      return checked instanceof Refusal ? filling : checked;
    };
    return new Schema(checkOrFill, { absence: absence === "refused" ? "allowed" : absence, givesNothing });
  }

  transform(change: (value: unknown) => unknown): Schema {
    const { check, absence } = this;
    const checkAndChange = (value: unknown) => {
      const checked = check(value);
      return checked instanceof Refusal ? checked : change(checked);
    };
    return new Schema(checkAndChange, { absence });
  }

  refine(holds: (value: unknown) => unknown, told: string | { readonly message?: string } = {}): Schema {
    return this.#only(holds, (typeof told === "string" ? told : told.message) ?? "isn't what was expected");
  }

  min(least: number): Schema {
    return this.#only(
      (value) => sizeOf(value) >= least,
      (value) => `must ${amount(value, "at least", least)}`,
    );
  }

  max(most: number): Schema {
    return this.#only(
      (value) => sizeOf(value) <= most,
      (value) => `must ${amount(value, "at most", most)}`,
    );
  }

  gt(limit: number): Schema {
    return this.#only((value) => sizeOf(value) > limit, `must be more than ${limit}`);
  }

  positive(): Schema {
    return this.gt(0);
  }

  nonnegative(): Schema {
    return this.min(0);
  }

  int(): Schema {
    return this.#only(Number.isSafeInteger, (value) => `expected a whole number, got ${value}`);
  }

  regex(pattern: RegExp, told = `must match ${pattern}`): Schema {
    return this.#only((value) => pattern.test(String(value)), told);
  }

  or(other: Schema): Schema {
    return anyOf([this, other]);
  }

  loose(): Schema {
    return objectOf(this.shape, "kept");
  }

  strict(): Schema {
    return objectOf(this.shape, "refused");
  }

  extend(more: Fields): Schema {
    return objectOf({ ...this.shape, ...more }, "left out");
  }

  describe(): Schema {
    return this;
  }

  parse(value: unknown): unknown {
    const result = this.safeParse(value);
    if (!result.success) throw result.error;
    return result.data;
  }

  safeParse(value: unknown): Result {
    const checked = this.check(value);
    return checked instanceof Refusal
      ? { success: false, error: new Error(String(checked)) }
      : { success: true, data: checked };
  }

  async safeParseAsync(value: unknown): Promise<Result> {
    return this.safeParse(value);
  }

  #only(holds: (value: unknown) => unknown, problem: string | ((value: unknown) => string)): Schema {
    return this.#changed((check, value) => {
      const checked = check(value);
      if (checked instanceof Refusal || holds(checked)) return checked;
      return new Refusal(typeof problem === "string" ? problem : problem(checked));
    });
  }

  #changed(change: (check: Check, value: unknown) => unknown): Schema {
    const { check } = this;
    return new Schema((value) => change(check, value), this);
  }
}

/** And what becomes of fields that nobody expects. */
export function objectOf(fields: Fields, unknowns: "left out" | "kept" | "refused"): Schema {
  const expected = Object.entries(fields);
  const check = (value: unknown) => {
    if (!isJsonObject(value)) return mismatch("an object", value);
    const kept: Record<string, unknown> = {};
    for (const [key, schema] of expected) {
      const checked = key in value ? schema.check(value[key]) : absentField(schema);
      if (checked instanceof Refusal) return checked.inside(key);
      if (checked !== ABSENT) kept[key] = checked;
    }
    if (unknowns === "left out") return kept;
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(fields, key) || key === "__proto__") continue;
      if (unknowns === "refused") return new Refusal("is no field of it", [key]);
      kept[key] = value[key];
    }
    return kept;
  };
  return new Schema(check, { shape: fields });
}

const ABSENT = Symbol("absent");

/** zod's rules for a field that isn't there. */
function absentField({ check, absence, givesNothing }: Schema): unknown {
  if (absence === "allowed" && givesNothing) return ABSENT;
  const checked = check(undefined);
  if (checked instanceof Refusal) return absence === "filled in" && givesNothing ? ABSENT : checked;
  if (absence === "refused") return mismatch("a value", undefined);
  return checked === undefined && (absence === "allowed" || givesNothing) ? ABSENT : checked;
}

/** The first that accepts the value; if none does, the refusal of the one that is meant, as far as can be told. */
export function anyOf(options: readonly Schema[]): Schema {
  const check = (value: unknown) => {
    let furthest: Refusal | undefined;
    for (const option of options) {
      const checked = option.check(value);
      if (!(checked instanceof Refusal)) return checked;
      if (furthest === undefined || isCloser(checked, furthest)) furthest = checked;
    }
    if (furthest?.isOtherKind) return new Refusal("is none that is known", furthest.path, true);
    return furthest ?? new Refusal("is never right");
  };
  return new Schema(check, {
    options,
    absence:
      ABSENCES.findLast((absence) => options.some((option) => option.absence === absence)) ?? "refused",
    givesNothing: options.some(({ givesNothing }) => givesNothing),
  });
}

/** It got further into the value, or as far without meeting another kind. */
function isCloser({ path, isOtherKind }: Refusal, than: Refusal): boolean {
  if (path.length !== than.path.length) return path.length > than.path.length;
  return than.isOtherKind && !isOtherKind;
}

/** All that is wrong with a value for an object: field by field, if it is one. */
export function problemsIn(value: unknown, schema: Schema): string[] {
  const fields = isJsonObject(value) ? Object.entries(schema.shape) : [];
  const refusals = fields.flatMap(([key, { check }]) => {
    const checked = check(isJsonObject(value) ? value[key] : undefined);
    return checked instanceof Refusal ? [checked.inside(key)] : [];
  });
  return (refusals.length > 0 ? refusals : [schema.check(value)]).map(String);
}

function sizeOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" || Array.isArray(value) ? value.length : Number.NaN;
}

function amount(value: unknown, bound: string, size: number): string {
  if (typeof value !== "number" && bound === "at least" && size === 1) return "not be empty";
  if (typeof value === "number") return `be ${bound} ${size}`;
  return `have ${bound} ${size} ${typeof value === "string" ? "characters" : "entries"}`;
}
