// For what is only an adornment: where it fails, the conversation goes on without.

export async function quietly<Value>(value: Promise<Value>, fallback: Value): Promise<Value> {
  try {
    return await value;
  } catch {
    return fallback;
  }
}
