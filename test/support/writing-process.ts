// Somebody else who works on the same project: a process that creates, replaces, rewrites and extends files at any
// moment, each of them once and with a mark that no other file has. It tells what it wrote, a line each.
import { appendFileSync, lstatSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "./random.ts";

export interface OtherWrite {
  /** Relative to the project. */
  readonly path: string;
  readonly mark: string;
  readonly startMs: number;
  readonly endMs: number;
}

const WAYS = ["create", "replace", "rewrite", "extend"] as const;
const MOST_BYTES = 100_000;

if (import.meta.main) {
  const [root = "", seed = "1"] = process.argv.slice(2);
  // Whoever asks knows after the answer that all earlier writes have been told.
  process.stdin.on("end", () => process.exit(0)).on("data", () => process.stdout.write("null\n"));
  await writeForEver(root, Number(seed));
}

async function writeForEver(root: string, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const written = new Set<string>();
  for (let count = 0; ; count++) {
    await new Promise((resolve) => setTimeout(resolve, random.below(12)));
    const mark = `<other ${seed} ${count}>`;
    const way = random.pick(WAYS);
    const startMs = Date.now();
    try {
      const place = somePlace(root, () => random.below(4) > 0, random.pick);
      const path = way === "create" ? join(place.folder, `other ${count}.txt`) : place.file;
      if (path === null || written.has(path)) continue;
      written.add(path);
      if (way === "extend") appendFileSync(join(root, path), mark);
      else if (way === "replace") {
        const spare = join(root, place.folder, `other spare ${count}`);
        writeFileSync(spare, mark);
        renameSync(spare, join(root, path));
      } else writeFileSync(join(root, path), mark, { flag: way === "create" ? "wx" : "r+" });
      const write: OtherWrite = { path, mark, startMs, endMs: Date.now() };
      process.stdout.write(`${JSON.stringify(write)}\n`);
    } catch {
      // It is gone meanwhile: then nothing was written.
    }
  }
}

function somePlace(
  root: string,
  goesOn: () => boolean,
  pick: <Item>(items: readonly Item[]) => Item,
): { readonly folder: string; readonly file: string | null } {
  for (let folder = ""; ; ) {
    const names = readdirSync(join(root, folder)).filter((name) => isOrdinary(name));
    const looks = names.map((name) => ({ name, stat: lstatSync(join(root, folder, name)) }));
    const folders = looks.filter(({ stat }) => stat.isDirectory());
    if (folders.length > 0 && goesOn()) {
      folder = join(folder, pick(folders).name);
      continue;
    }
    const files = looks.filter(({ stat }) => stat.isFile() && stat.size < MOST_BYTES && stat.nlink === 1);
    return { folder, file: files.length === 0 ? null : join(folder, pick(files).name) };
  }
}

/** What undo doesn't cover, and what a restore needs for a moment, is nobody's business here. */
function isOrdinary(name: string): boolean {
  return (
    !name.includes("\ufffd") &&
    !/^(?:\.git|\.tunacode|node_modules|vendor|modules|other spare)|\.restore_/.test(name)
  );
}
