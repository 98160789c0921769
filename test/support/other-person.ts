// Starts somebody else who works on the same project, and finds out in the end whether anything of theirs was lost.
import { spawn, spawnSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { OtherWrite } from "./writing-process.ts";

export interface OtherPerson {
  /** A call ran then: what it destroyed of what was written meanwhile is its own fault. */
  readonly excuse: (fromMs: number, toMs: number) => void;
  /** Resolves when all that they have written so far is known. */
  readonly catchUp: () => Promise<void>;
  /** They may have written at this path, below or above it, or a restore has put aside what they wrote. */
  readonly wrote: (path: string) => boolean;
  /** Stops them. What is neither in its place nor anywhere in these folders is lost. */
  readonly lost: (...folders: readonly string[]) => Promise<readonly OtherWrite[]>;
}

/** Between the moment of a write and the note of it. */
const SLACK_MS = 5;

export async function startOther(root: string, seed: number): Promise<OtherPerson> {
  const program = join(import.meta.dir, "writing-process.ts");
  const child = spawn(process.execPath, [program, root, String(seed)], { stdio: ["pipe", "pipe", "ignore"] });
  const writes: OtherWrite[] = [];
  const excused: (readonly [from: number, to: number])[] = [];
  const answers: (() => void)[] = [];
  createInterface(child.stdout).on("line", (line) => {
    const write: OtherWrite | null = JSON.parse(line);
    if (write === null) answers.shift()?.();
    else writes.push(write);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  // Nobody else is there to answer.
  ended.then(() => {
    for (const answer of answers.splice(0)) answer();
  });
  return {
    catchUp: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        answers.push(resolve);
        child.stdin.write("?");
      }),
    excuse: (fromMs, toMs) => excused.push([fromMs - SLACK_MS, toMs + SLACK_MS]),
    wrote: (path) =>
      /(?:^|\/)other (?:spare )?\d+|\.restore_[0-9a-f]+-\d+$/.test(path) ||
      writes.some((write) => `${write.path}/`.startsWith(`${path}/`) || path.startsWith(`${write.path}/`)),
    lost: async (...folders) => {
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`Whoever else wrote ended with ${code ?? child.signalCode}.`);
      const isExcused = ({ startMs, endMs }: OtherWrite) =>
        excused.some(([from, to]) => startMs <= to && endMs >= from);
      return writes.filter(
        (write) => !isExcused(write) && !isInPlace(root, write) && !isKept(folders, write),
      );
    },
  };
}

function isInPlace(root: string, { path, mark }: OtherWrite): boolean {
  try {
    // To open a pipe would take for ever.
    const place = join(root, path);
    return lstatSync(place).isFile() && readFileSync(place, "utf8").includes(mark);
  } catch {
    return false;
  }
}

function isKept(folders: readonly string[], { mark }: OtherWrite): boolean {
  return spawnSync("grep", ["-rqaF", "--", mark, ...folders]).status === 0;
}
