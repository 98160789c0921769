// Proof to the compiler that a switch over a tagged union is complete.

export function never(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
