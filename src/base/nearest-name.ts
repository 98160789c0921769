// Finds the known name that was probably meant by an unknown one.

/** Undefined if none is near. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  // Two letters that changed places count as two.
  const allowed = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
    if (distance <= allowed && distance < (nearest?.distance ?? allowed + 1)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** A name longer than this is not a typo. */
const LONGEST_NAME = 100;

export function editDistance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > LONGEST_NAME) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
