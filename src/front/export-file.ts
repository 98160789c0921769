// Writes an exported conversation to a new file. A file that exists is left alone: the next free name is used instead.

import { open, rm } from "node:fs/promises";
import { dirname, parse, resolve } from "node:path";
import { failureCode } from "../base/failure-code.ts";

const MOST_NAMES = 1_000;

export async function exportFile(cwd: string, name: string, text: string): Promise<string> {
  const wanted = resolve(cwd, name);
  for (let number = 1; number <= MOST_NAMES; number++) {
    const path = numbered(wanted, number);
    try {
      await writeNewFile(path, text);
      return path;
    } catch (error) {
      const code = failureCode(error);
      if (code !== "EEXIST") throw new Error(problem(path, code), { cause: error });
    }
  }
  throw new Error(`${wanted} exists, and so do ${MOST_NAMES} names beside it. Nothing was written.`);
}

function numbered(path: string, number: number): string {
  const { dir, name, ext } = parse(path);
  return number === 1 ? path : resolve(dir, `${name}-${number}${ext}`);
}

/** Half a conversation would look like a whole one, so a write that fails leaves no file. */
async function writeNewFile(path: string, text: string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(text).finally(() => file.close());
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function problem(path: string, code: unknown): string {
  if (code === "ENOENT" || code === "ENOTDIR")
    return `There is no folder ${dirname(path)}. Nothing was written.`;
  return `${path} can't be written (${code}). Nothing was written.`;
}
