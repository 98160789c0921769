// The lines of a journal as another version of this program would have written them.
import { checksum } from "../../src/base/checksum.ts";

/** Written by a program whose records are of this format; null: one from before records said it. */
export function inFormat(journal: string, format: number | null): string {
  return journal
    .split("\n")
    .map((line) => (line === "" ? "" : relabelled(line, format)))
    .join("\n");
}

function relabelled(line: string, format: number | null): string {
  const covered = line.slice(line.indexOf('"format":'));
  const changed = covered.replace(/^"format":\d+,/, format === null ? "" : `"format":${format},`);
  return `{"sum":"${checksum(changed)}",${changed}`;
}
