// What the system calls a failure.

/** The code of a failed call (ENOENT, EACCES, ...), or "" for anything else. */
export function failureCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
