// While a restore runs, another process changes the same files at every moment. Nothing that it wrote is lost: it is in
// place, beside it under a name that the result tells, or in the store under a name that the result tells.
import { afterEach, expect, test } from "bun:test";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import type { RestoreResult } from "../../src/checkpoint/restoring.ts";
import type { FileChange } from "../../src/domain/file-change.ts";
import { changesBetween, pictureOf } from "../support/changed-tree.ts";
import { WAYS, type WriterNote, wayOf } from "../support/other-writer.ts";
import { newLabFolder, openLab, type RestoreLab } from "../support/restore-lab.ts";

const ROUNDS = process.env["TUNACODE_LONG"] === "1" ? 2_000 : 5;
const FILES = 25;
const PROGRAM = join(import.meta.dir, "../support/other-writer.ts");
const children: Bun.Subprocess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

test("what another process writes at any moment of a restore is not lost", async () => {
  const folder = newLabFolder();
  folders.push(folder);
  const lab = await openLab(folder);
  const paths = WAYS.flatMap((way) =>
    Array.from({ length: FILES }, (_, index) =>
      index % 3 === 0 ? `${way}-${index}` : `folder/${way}-${index}`,
    ),
  );
  const log = join(folder, "log");
  fs.writeFileSync(log, "");
  const child = Bun.spawn([process.execPath, PROGRAM, lab.root, log, paths.join("\n")], {
    stderr: "inherit",
  });
  children.push(child);
  const stopped = async () => {
    child.kill("SIGSTOP");
    while (!/\) T /.test(fs.readFileSync(`/proc/${child.pid}/stat`, "latin1"))) await Bun.sleep(0.1);
  };
  let restored = 0;
  let conflicts = 0;
  let asides = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await stopped();
    const changes = await prepare(lab, paths, round);
    fs.truncateSync(log);
    child.kill("SIGCONT");
    await Bun.sleep(Math.random() * 2);
    const result = await lab.restorer.carryOut(await lab.restorer.plan(changes), `round_${round}`, new Set());
    await stopped();
    restored += result.changes.length;
    conflicts += result.conflicts.length;
    asides += check(lab, readNotes(log), result);
    await lab.restorer.settle(`round_${round}`);
  }
  child.kill("SIGCONT");
  expect(restored).toBeGreaterThan(ROUNDS);
  expect(conflicts).toBeGreaterThan(0);
  console.log(`restore: ${ROUNDS} times, ${restored} put back, ${conflicts} conflicts, ${asides} kept aside`);
}, 900_000);

/** The run has changed some files, made others, and the folder. */
async function prepare(
  lab: RestoreLab,
  paths: readonly string[],
  round: number,
): Promise<readonly FileChange[]> {
  const { root, keepAll } = lab;
  const write = (path: string, text: string) => {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  };
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(root);
  for (const [index, path] of paths.entries())
    if ((index + round) % 3 > 0 && round % 5 > 0) write(path, `before ${path}`);
  await keepAll();
  const before = pictureOf(root);
  for (const path of paths) write(path, round % 7 === 0 ? "" : `after ${round}`);
  return changesBetween(before, pictureOf(root));
}

/** Returns how many versions are kept aside. */
function check({ root, store }: RestoreLab, notes: readonly WriterNote[], result: RestoreResult): number {
  const details = result.conflicts.map(({ detail = "" }) => detail).join("\n");
  let asides = 0;
  for (const path of new Set(notes.map((note) => note.path))) {
    const folder = dirname(join(root, path));
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    const asideNames = names.filter((name) => name.startsWith(`${basename(path)}.`));
    asides += asideNames.length;
    for (const name of asideNames) expect(details).toContain(name);
    expect(names.filter((name) => name.startsWith(".tunacode-"))).toEqual([]);
    const kept = result.changes.flatMap(({ path: changed, before }) =>
      changed === path && before.type === "file" && before.content !== null
        ? [new TextDecoder().decode(store.read(before.content) ?? undefined)]
        : [],
    );
    const there = [basename(path), ...asideNames].map((name) => textAt(join(folder, name)));
    const found = [...there, ...kept].join("\n");
    for (const token of mustBeThere(path, notes))
      if (!found.includes(token))
        throw new Error(
          `${token} of ${path} is lost: ${JSON.stringify({ there, kept, result, notes: notes.filter((n) => n.path === path) }, null, 1)}`,
        );
  }
  return asides;
}

/** What the other process wrote in this round, and did not itself overwrite. */
function mustBeThere(path: string, notes: readonly WriterNote[]): readonly string[] {
  const own = notes.filter((note) => note.path === path);
  const begun = new Set(own.filter(({ isDone }) => !isDone).map(({ token }) => token));
  const done = own.filter(({ token, isDone }) => isDone && begun.has(token)).map(({ token }) => token);
  if (wayOf(path) === "append") return done;
  // It was stopped in the middle, or it removed the file and could not make it again.
  if (own.at(-1)?.isDone !== true) return [];
  return done.slice(-1);
}

function textAt(path: string): string {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function readNotes(log: string): readonly WriterNote[] {
  const lines = fs.readFileSync(log, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as WriterNote);
}
