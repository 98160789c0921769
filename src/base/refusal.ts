// What a schema says of a value that isn't what it should be.

/** What is wrong, and where in the value. */
export class Refusal {
  readonly problem: string;
  readonly path: readonly string[];
  /** By a literal: the value is of another kind, so what else is wrong with it for this one says nothing. */
  readonly isOtherKind: boolean;

  constructor(problem: string, path: readonly string[] = [], isOtherKind = false) {
    this.problem = problem;
    this.path = path;
    this.isOtherKind = isOtherKind;
  }

  inside(key: string | number): Refusal {
    return new Refusal(this.problem, [String(key), ...this.path], this.isOtherKind);
  }

  toString(): string {
    return this.path.length === 0 ? this.problem : `${this.path.join(".")}: ${this.problem}`;
  }
}

export function mismatch(expected: string, value: unknown): Refusal {
  return new Refusal(`expected ${expected}, got ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return { string: "text", number: "a number", boolean: "a boolean" }[String(typeof value)] ?? "an object";
}
