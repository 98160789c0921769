// Runs programs and says what they used: time, processor, memory, and when their first request arrived.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelServer } from "./model-server-process.ts";
import type { Workplace } from "./workplace.ts";

export interface Program {
  readonly name: string;
  /** From the model's address and its name to what is started. */
  readonly argv: (baseUrl: string, model: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Measured {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  /** From the start of the process to its first request. */
  readonly firstRequestMs: number;
  readonly output: string;
  /** Of several at once: their memory together, what they share counted once. 0 for one. */
  readonly sharedMb: number;
}

export interface Run {
  readonly server: ModelServer;
  readonly workplace: Workplace;
  readonly model: string;
  /** How many at once. */
  readonly count?: number;
}

const LAUNCH = join(import.meta.dir, "launch.ts");
const DEADLINE_MS = 120_000;

export async function measure(program: Program, run: Run): Promise<Measured> {
  const { server, workplace, model, count = 1 } = run;
  const folder = mkdtempSync(join(tmpdir(), "tunacode-bench-"));
  const report = join(folder, "report.json");
  await server.forget();
  const child = spawn(
    process.execPath,
    [LAUNCH, report, String(count), ...program.argv(server.baseUrl, model)],
    {
      cwd: workplace.project,
      env: { ...workplace.env, ...program.env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: DEADLINE_MS,
    },
  );
  const [output, complaints] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended(child)]);
  try {
    const { code, startedAt, ...used } = JSON.parse(readFileSync(report, "utf8"));
    if (code !== 0) throw new Error(`${program.name} ended with ${code}: ${complaints || output}`);
    const { firstAt } = await server.seen();
    return { ...used, output, firstRequestMs: firstAt - startedAt };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function ended(child: ReturnType<typeof spawn>): Promise<unknown> {
  return new Promise((resolve, reject) => child.once("exit", resolve).once("error", reject));
}
