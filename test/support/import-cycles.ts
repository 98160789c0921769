// Finds import cycles, one for each group of files that import each other.

/** file -> the files it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Each cycle begins and ends with the same file. */
export function findCycles(graph: ImportGraph): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];

  // A depth-first search: a file that is reached again while it is on the current path closes a cycle.
  const visit = (file: string): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    trail.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    trail.pop();
    done.add(file);
  };

  for (const file of graph.keys()) visit(file);
  return cycles;
}
