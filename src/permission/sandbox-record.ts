// Records of the commands that are running in the sandbox, with what other programs obeyed before they started. If we
// are killed, they stay.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { liveness, ownIdentity } from "../base/liveness.ts";
import type { Before } from "./set-aside.ts";

const text = z.string();
const schema = z.object({
  owner: z.object({ pid: z.number(), started: text, host: text, boot: text, namespace: text }),
  roots: z.array(text).readonly(),
  since: z.number(),
  obeyed: z.array(z.tuple([text, z.object({ text, target: text.nullable() }).nullable()])),
  temporary: text,
});

interface AbandonedCommand {
  readonly before: Before;
  /** The private folder of its session. */
  readonly temporary: string;
  readonly forget: () => Promise<void>;
}

/** Returns what removes the record, once what the command made has been looked at. */
export async function recordCommand(
  { roots, since, obeyed }: Before,
  temporary: string,
  folder: string,
): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${crypto.randomUUID()}.json`);
  const record: z.input<typeof schema> = {
    owner: ownIdentity(),
    roots,
    since,
    obeyed: [...obeyed],
    temporary,
  };
  await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return () => rm(path, { force: true });
}

/** Those whose process is gone. */
export async function abandonedCommands(folder: string): Promise<readonly AbandonedCommand[]> {
  const found: AbandonedCommand[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { data } = schema.safeParse(await readJson(path));
    if (data === undefined || liveness(data.owner) !== "dead") continue;
    const { roots, since, obeyed, temporary } = data;
    const before = { roots, since, obeyed: new Map(obeyed) };
    found.push({ before, temporary, forget: () => rm(path, { force: true }) });
  }
  return found;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    // Another process has just removed it, or we were killed while it was written.
    return null;
  }
}
