// Makes the compiler check that a switch over a tagged union is exhaustive.

export function never(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
