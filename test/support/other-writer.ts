// Run as a program: somebody else who changes files of a project all the time, and knows what was written last.
//   other-writer.ts ROOT LOG
// Each kind of name is changed in one way only, so that it is known what must not be lost.
import * as fs from "node:fs";
import { join } from "node:path";
import { seededNumbers } from "./changed-tree.ts";

export const WAYS = ["append", "rewrite", "rename", "recreate"] as const;
export type Way = (typeof WAYS)[number];

/** A line of the log: it is written before and after each change. */
export interface WriterNote {
  readonly path: string;
  readonly token: string;
  readonly isDone: boolean;
}

export function wayOf(path: string): Way | undefined {
  return WAYS.find((way) => path.split("/").at(-1)?.startsWith(way) === true);
}

function change(root: string, path: string, token: string): void {
  const place = join(root, path);
  const temporary = join(root, `../writer-${process.pid}`);
  switch (wayOf(path)) {
    case "append":
      fs.appendFileSync(place, token);
      return;
    case "rewrite":
      fs.writeFileSync(place, token);
      return;
    case "rename":
      fs.writeFileSync(temporary, token);
      fs.renameSync(temporary, place);
      return;
    case "recreate":
      fs.rmSync(place, { force: true });
      fs.writeFileSync(place, token, { flag: "wx" });
      return;
    case undefined:
      throw new Error(`Nobody knows how to change ${path}.`);
  }
}

async function main([root = "", log = "", names = ""]: readonly string[]): Promise<void> {
  const random = seededNumbers(process.pid);
  const paths = names.split("\n");
  const notes = fs.openSync(log, "a");
  const note = (line: WriterNote) => fs.writeSync(notes, `${JSON.stringify(line)}\n`);
  for (let count = 0; process.ppid !== 1; count++) {
    const path = paths[Math.floor(random() * paths.length)] ?? "";
    const token = `<${process.pid}-${count}>`;
    try {
      note({ path, token, isDone: false });
      change(root, path, token);
      note({ path, token, isDone: true });
    } catch {
      // The folder is not there at the moment, or a file came first.
    }
    if (random() < 0.8) await Bun.sleep(random() * 2);
  }
}

if (import.meta.main) await main(process.argv.slice(2));
