// What is measured: the shipped program and the yardsticks beside it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BINARY, buildIfStale, compile } from "../../scripts/build.ts";
import type { Program } from "./measure.ts";

export const PROMPT = "Say hello.";

export const tunacode: Program = {
  name: "tunacode",
  argv: (baseUrl, model) => [BINARY, "run", "--model", `openai:${model}`, "--base-url", baseUrl, PROMPT],
};

export const bareLoop: Program = {
  name: "a bare fetch loop on Bun",
  argv: (baseUrl, model) => [process.execPath, join(import.meta.dir, "bare-loop.ts"), baseUrl, model],
};

const SDK_BINARY = join(import.meta.dir, "..", "..", "dist", "bench", "sdk-drain");

/** `file`: the call's options as JSON, instead of one line. */
export function sdkDrain(file?: string): Program {
  return {
    name: "the bare SDK",
    argv: (baseUrl, model) => [SDK_BINARY, baseUrl, model, ...(file === undefined ? [] : [file])],
  };
}

/** The program and the yardstick that is compiled like it. */
export async function buildPrograms(): Promise<void> {
  await buildIfStale();
  mkdirSync(join(SDK_BINARY, ".."), { recursive: true });
  await compile(join(import.meta.dir, "sdk-drain.ts"), SDK_BINARY);
}
